"""Small files that want much: neither the memory nor the time of refusing them has to do with what they say."""

import io
import struct
import tracemalloc
import zipfile
import zlib
from time import thread_time

import openpyxl
import pytest

from console.spreadsheets.read import Unreadable, read
from console.spreadsheets.xlsx import MOST_BYTES, MOST_PARTS
from console.testing.people_files import END, PLAIN, SHEET, with_parts, workbook

MIB = 2**20


def cost(data, refusal):
    """Refuse a file; return the processor time and the MiB that it takes."""
    read(workbook(PLAIN))  # what reads is loaded once
    tracemalloc.start()
    started = thread_time()
    try:
        with pytest.raises(Unreadable, match=refusal):
            read(data)
        return thread_time() - started, tracemalloc.get_traced_memory()[1] / MIB
    finally:
        tracemalloc.stop()


def zipped(parts, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as new:
        for name, content in parts.items():
            new.writestr(name, content)
    return file.getvalue()


def lying(method, said):
    """A zip file whose part says that it unpacks to these bytes, but unpacks to 32 MiB."""
    name, content = "xl/workbook.xml", bytes(32 * MIB)
    data = bytearray(zipped({name: content}, method))
    struct.pack_into("<LLL", data, 14, zlib.crc32(bytes(said)), *struct.unpack_from("<L", data, 18), said)
    at = data.index(b"PK\1\2")
    data[at + 16 : at + 28] = data[14:26]
    return bytes(data)


@pytest.mark.req("LS-12", "SEC-27")
@pytest.mark.parametrize(
    ("method", "said"),
    [
        (zipfile.ZIP_DEFLATED, 1000),
        (zipfile.ZIP_DEFLATED, MOST_BYTES),
        (zipfile.ZIP_BZIP2, 1000),
        (zipfile.ZIP_LZMA, 1000),
    ],
)
def test_a_part_that_is_longer_than_it_says_is_not_unpacked_as_a_whole(method, said):
    seconds, most = cost(lying(method, said), "neither a CSV nor an XLSX")
    assert seconds < 1
    assert most < 4 * said / MIB + 5


@pytest.mark.req("LS-12", "SEC-27")
def test_parts_that_are_the_same_bytes_are_not_all_unpacked():
    nothing = b"\0\0\0\xff\xff" * 100_000  # deflated blocks without content
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as new:
        new.writestr("a.xml", nothing)
        part = new.infolist()[0]
        part.compress_type, part.file_size, part.CRC = zipfile.ZIP_DEFLATED, 1, 0
        new.filelist[:] = [part] * MOST_PARTS
    assert cost(file.getvalue(), "neither a CSV nor an XLSX")[0] < 0.2


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
    seconds, most = cost(with_parts({part: content.encode(encoding)}, workbook(PLAIN)), "neither a CSV nor an XLSX")
    assert seconds < 0.5
    assert most < 20


@pytest.mark.req("DM-42", "SEC-27")
def test_what_is_embedded_is_no_matter():
    picture = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg/>' + " " * MOST_BYTES
    assert read(with_parts({"xl/media/image1.svg": picture}, workbook(PLAIN))).rows[0][:2] == PLAIN[0]
