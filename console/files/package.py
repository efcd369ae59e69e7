"""Unpack the parts of a workbook that have table data, within limits.

Names of elements are compared without namespaces, so that Strict and Transitional Open XML are read the same way.
"""

import io
import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, fromstring

ZIP = b"PK\x03\x04"
MAX_UNPACKED_BYTES = 8 * 1024 * 1024
"""A table of a hundred rows has about ten thousand bytes."""
MAX_PARTS = 1000
MAX_MARKS = 150_000
"""Maximum tags and attributes of all parts, counted as "<" and "=". The time to read a workbook grows with them.

A cell has about seven.
"""
GENERAL = "General"
"""The number format of cells without one."""
MAX_FORMAT_LENGTH = 255
"""Maximum characters of a number format in the file format."""


class NotAWorkbook(Exception):
    """A file that is no workbook, or a broken one."""


class TooMuchText(Exception):
    """A workbook that is too large to be read."""


@dataclass(frozen=True)
class SheetPart:
    """One worksheet: its name, and the path of its part."""

    name: str
    path: str
    is_visible: bool


class Package:
    """The parts of a workbook by their paths, which are in lower case.

    Raises NotAWorkbook, TooMuchText, and the errors of broken XML.
    """

    def __init__(self, data: bytes) -> None:
        self._parts = _unpack(data)
        paths = [path for _id, kind, path in self._relations("") if kind == "officeDocument"]
        if not paths:
            raise NotAWorkbook
        self._book = self._xml(paths[0])
        self._related = list(self._relations(paths[0]))

    @property
    def uses_1904_dates(self) -> bool:
        """Return whether days are counted from 1904, as old Macs did."""
        properties = self._book.find("workbookPr")
        return properties is not None and properties.get("date1904") in ("1", "true")

    def sheets(self) -> list[SheetPart]:
        """Return the worksheets in their order, without chart sheets."""
        paths = {key: path for key, kind, path in self._related if kind == "worksheet" and path in self._parts}
        return [
            SheetPart(sheet.get("name", ""), paths[key], sheet.get("state", "visible") == "visible")
            for sheet in self._book.iterfind("sheets/sheet")
            if (key := sheet.get("id", "")) in paths
        ]

    def xml(self, sheet: SheetPart) -> Element:
        """Return the content of a worksheet."""
        return self._xml(sheet.path)

    def texts(self) -> list[str]:
        """Return the shared texts, which cells refer to by index."""
        return [read_text(item) for root in self._iter_parts("sharedStrings") for item in root if item.tag == "si"]

    def number_formats(self) -> list[str]:
        """Return the number format of each cell style."""
        from openpyxl.styles.numbers import builtin_format_code

        codes, styles = dict[str, str](), list[str]()
        for root in self._iter_parts("styles"):
            for item in root.iterfind("numFmts/numFmt"):
                codes[item.get("numFmtId", "")] = item.get("formatCode", "")[:MAX_FORMAT_LENGTH]
            styles += [item.get("numFmtId", "0") for item in root.iterfind("cellXfs/xf")]
        builtin = {key: builtin_format_code(int(key)) for key in set(styles) if key.isdecimal()}
        return [codes.get(key) or builtin.get(key) or GENERAL for key in styles]

    def _iter_parts(self, kind: str) -> Iterator[Element]:
        paths = [path for _id, its_kind, path in self._related if its_kind == kind]
        usual = f"xl/{kind}.xml".lower()  # the default if the workbook does not specify it
        yield from (self._xml(path) for path in [*paths, usual][:1] if path in self._parts)

    def _relations(self, path: str) -> Iterator[tuple[str, str, str]]:
        """Yield ID, kind and target of each relation of a part."""
        folder, name = posixpath.split(path)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations not in self._parts:
            return
        for item in self._xml(relations):
            target = item.get("Target", "").lower()
            joined = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            yield item.get("Id", ""), item.get("Type", "").rpartition("/")[2], posixpath.normpath(joined)

    def _xml(self, path: str) -> Element:
        root = fromstring(self._parts[path])  # noqa: S314 - entities were refused
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
            if any("}" in name for name in element.attrib):
                element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        return root


def read_text(item: Element) -> str:
    """Return the text of an item, whose parts may have different fonts, without its pronunciation."""
    texts = [child.text if child.tag == "t" else child.findtext("t") for child in item if child.tag in ("t", "r")]
    return "".join(filter(None, texts))


def _unpack(data: bytes) -> dict[str, bytes]:
    """Return the XML parts, after checking their sizes.

    Of deflated parts, zipfile unpacks only the requested length; others it unpacks to the end, regardless of the stated
    length. Parts that share their bytes could be unpacked many times. XML with a document type could expand to any
    length. No spreadsheet program writes such files. Raises NotAWorkbook, TooMuchText.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        parts = [part for part in packed.infolist() if part.filename.lower().endswith((".xml", ".rels"))]
        if sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES or len(parts) > MAX_PARTS:
            raise TooMuchText
        if sum(part.compress_size for part in parts) > len(data):
            raise NotAWorkbook
        if any(part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for part in parts):
            raise NotAWorkbook
        contents = {}
        for part in parts:
            with packed.open(part) as source:
                contents[part.filename.replace("\\", "/").lower()] = source.read(part.file_size)
    if any(b"<!DOCTYPE" in content.replace(b"\0", b"") for content in contents.values()):  # in UTF-16, too
        raise NotAWorkbook
    if sum(content.count(b"<") + content.count(b"=") for content in contents.values()) > MAX_MARKS:
        raise TooMuchText
    return contents
