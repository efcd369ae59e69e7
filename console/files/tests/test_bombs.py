"""Decompression bombs: refusing them takes little memory and time, regardless of the sizes that they state."""

import io
import struct
import tracemalloc
import zipfile
import zlib
from random import Random

import openpyxl
import pytest
from django.utils.translation import override

from console.files.package import MAX_PARTS, MAX_UNPACKED_BYTES
from console.files.read import Unreadable, build_preview, read
from tests.support.cost import units
from tests.support.imports import upload
from tests.support.people_files import END, PLAIN, SHEET, with_parts, with_sheet, workbook

MIB = 2**20


def cost(data, refusal):
    """Refuse a file; return the units of processor time and the MiB that it takes."""
    read(workbook(PLAIN))  # imports the modules for reading
    peak = 0.0

    def refuse():
        nonlocal peak
        tracemalloc.start()
        try:
            with pytest.raises(Unreadable, match=refusal):
                read(data)
            peak = tracemalloc.get_traced_memory()[1] / MIB
        finally:
            tracemalloc.stop()

    return units(refuse), peak


def zipped(parts, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as new:
        for name, content in parts.items():
            new.writestr(name, content)
    return file.getvalue()


def lying(method, stated_size):
    """Return a zip file with a part that states this unpacked size, but unpacks to 32 MiB."""
    name, content = "xl/workbook.xml", bytes(32 * MIB)
    data = bytearray(zipped({name: content}, method))
    struct.pack_into("<LLL", data, 14, zlib.crc32(bytes(stated_size)), *struct.unpack_from("<L", data, 18), stated_size)
    at = data.index(b"PK\1\2")
    data[at + 16 : at + 28] = data[14:26]
    return bytes(data)


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize(
    ("method", "stated_size"),
    [
        (zipfile.ZIP_DEFLATED, 1000),
        (zipfile.ZIP_DEFLATED, MAX_UNPACKED_BYTES),
        (zipfile.ZIP_BZIP2, 1000),
        (zipfile.ZIP_LZMA, 1000),
    ],
)
def test_a_part_that_is_longer_than_stated_is_not_unpacked_completely(method, stated_size):
    time_units, peak = cost(lying(method, stated_size), "This isn't a CSV or XLSX file")
    assert time_units < 20
    assert peak < 4 * stated_size / MIB + 5


@pytest.mark.req("LS-12", "SEC-27")
def test_parts_that_are_the_same_bytes_are_not_all_unpacked():
    nothing = b"\0\0\0\xff\xff" * 100_000  # deflated blocks without content
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as new:
        new.writestr("a.xml", nothing)
        part = new.infolist()[0]
        part.compress_type, part.file_size, part.CRC = zipfile.ZIP_DEFLATED, 1, 0
        new.filelist[:] = [part] * MAX_PARTS
    assert cost(file.getvalue(), "This isn't a CSV or XLSX file")[0] < 4


@pytest.mark.req("LS-12", "SEC-27")
def test_workbooks_are_read_in_tests_as_where_the_console_runs():
    assert not openpyxl.LXML
    assert not openpyxl.DEFUSEDXML


DECLARED = f'<!DOCTYPE w [<!ENTITY a "{"a" * 290}">]>'
REPEATED = f'<row><c t="inlineStr"><is><t>{"&a;" * 100_000}</t></is></c></row>'


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "cp1251"])
@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "_rels/.rels", "[Content_Types].xml"])
def test_entities_are_not_even_expanded(part, encoding):
    declaration = "" if encoding.startswith("utf-16-") else f'<?xml version="1.0" encoding="{encoding}"?>'
    content = f"{declaration}{DECLARED}{SHEET}{REPEATED}{END}"
    time_units, peak = cost(
        with_parts({part: content.encode(encoding)}, workbook(PLAIN)), "This isn't a CSV or XLSX file"
    )
    assert time_units < 10
    assert peak < 20


@pytest.mark.req("DM-42", "SEC-27")
def test_embedded_files_are_ignored():
    picture = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg/>' + " " * MAX_UNPACKED_BYTES
    assert read(with_parts({"xl/media/image1.svg": picture}, workbook(PLAIN))).rows[0][:2] == PLAIN[0]


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize("number", ["1048577", "9" * 4000])
@pytest.mark.parametrize("cells", ["", "<c><v>1</v></c>"])
def test_a_row_beyond_the_maximum_of_a_sheet_is_refused(number, cells):
    data = with_sheet(f'{SHEET}<row><c><v>1</v></c></row><row r="{number}">{cells}</row>{END}')
    with pytest.raises(Unreadable, match="This isn't a CSV or XLSX file"):
        read(data)


@pytest.mark.req("DM-42", "SEC-27")
def test_the_last_possible_row_of_a_sheet_is_read_fast():
    data = with_sheet(f'{SHEET}<row><c><v>1</v></c></row><row r="1048576"><c><v>2</v></c></row>{END}')
    assert units(lambda: read(data)) < 20
    assert read(data).numbers == [1, 1_048_576]


RANDOM = Random(1)
HEADER = b"Name,Type,Email\r\n"
LONG = {
    "cells of many bytes": HEADER + bytes(RANDOM.choices([*b",\n", *range(0xA1, 0xFE)], k=1_000_000)),
    "few distinct words": HEADER + b"\xe9\xe9," * 330_000,
    "one distinct word in each row": HEADER + b'"\xe9"\n' * 200_000,
    "short words": HEADER + b"\xe9 " * 500_000,
    "accents": HEADER + b"a\xcc" * 500_000,
    "two at the end": HEADER + b"a " * 490_000 + b"J\xe4ger",
    "one long word": HEADER + b"a" * 999_000 + b"\r\nJ\xe4ger",
    "blank rows": HEADER + b",\n" * 490_000 + b"J\xe4ger",
    "many columns and rows": b"a," * 100 + b"\n" + b"\xe9\n" * 490_000,
}
"""Texts of 1 MB without an indication of their encoding."""


@pytest.mark.slow
@pytest.mark.req("LS-12", "SEC-28")
@pytest.mark.parametrize("name", LONG)
def test_a_long_text_is_asked_about_or_refused_in_a_short_time(admin_client, name):
    def send():
        assert upload(admin_client, "/user-manage/clinic/import", LONG[name]).status_code in (200, 422)

    assert units(send) < 60


@pytest.mark.req("DM-42", "LS-11")
def test_the_encoding_of_a_text_is_detected_by_its_non_ascii_parts():
    text = "Name\r\n" + "a" * 100_000 + "\r\nСтоматология\r\n"
    with override("ru"):
        table = read(text.encode("cp1251"))
    assert table.rows[-1] == ["Стоматология"]
    assert build_preview(table) == [["Стоматология"]]


@pytest.mark.req("DM-42")
def test_accents_are_joined_in_a_long_text_too():
    name = "Nha khoa Vi\u1ec7t Nam"
    text = "Name\r\n" + f"{name}\r\n" * 50
    with override("vi"):
        table = read(text.replace("\u1ec7", "\u00ea\u0323").encode("cp1258"))
    assert {row[0] for row in table.rows[1:]} == {name}
    assert build_preview(table)[0] == [name]
