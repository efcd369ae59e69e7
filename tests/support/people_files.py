"""The files of people that the tests of imports read: `python -m tests.support.people_files` makes them.

LibreOffice writes those of spreadsheet programs; what it does not write (files of Excel, Numbers and Google Sheets,
broken and hostile ones) is made as those are known to be.
"""

import csv
import io
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from console.files.write import write_workbook

FOLDER = Path(__file__).resolve().parents[2] / "console" / "files" / "tests" / "files"

Rows = list[list[str]]

IN_LANGUAGES = {
    "en": ("cp1252", ["Zoë’s Dental Café", "Fiancé & Co"]),
    "ko": ("cp949", ["서울치과", "미소 똠방각하 치과"]),
    "fr": ("cp1252", ["Cabinet d’Hélène", "Sœur Béatrice"]),
    "zh-hans": ("cp936", ["北京口腔", "联通牙科"]),
    "it": ("cp1252", ["Studio Nicolò", "Città Dentale"]),
    "zh-hant": ("cp950", ["臺北牙醫", "許功蓋診所"]),
    "ja": ("cp932", ["東京歯科", "髙橋ソ能表クリニック"]),
    "es": ("cp1252", ["Clínica Muñoz", "Señora Dental"]),
    "de": ("cp1252", ["Zahnärzte Müller", "Praxis Weiß"]),
    "ru": ("cp1251", ["Стоматология", "Белый зуб"]),
    "pt-br": ("cp1252", ["Odontologia São João", "Coração"]),
    "ro": ("cp1250", ["Clinică Ştefan", "Dinţi Frumoşi"]),
    "el": ("cp1253", ["Οδοντιατρείο", "Αθήνα"]),
    "tr": ("cp1254", ["Diş Kliniği", "İstanbul Işık"]),
    "cs": ("cp1250", ["Zubní ordinace Dvořák", "Příbram"]),
    "pl": ("cp1250", ["Stomatologia Łódź", "Gabinet Świątek"]),
    "ar": ("cp1256", ["عيادة الأسنان", "القاهرة"]),
    "sv": ("cp1252", ["Tandläkare Åström", "Malmö"]),
    "nl": ("cp1252", ["Tandarts Daniëlle", "Coöperatie"]),
    "th": ("cp874", ["คลินิกทันตกรรม", "ยิ้มสวย"]),
    "vi": ("cp1258", ["Nha khoa Việt Nam", "Răng Đẹp"]),
}
"""For each language the code page of its systems, and names of clinics."""

OTHERS = {"cp1255": ["מרפאת שיניים", "תל אביב"], "cp1257": ["Zobārstniecība Ķelle", "Šiauliai"]}
"""Code pages of languages that the console does not have."""

_LIBRE_OFFICE_CODES = {
    "cp1250": 33,
    "cp1251": 34,
    "cp1252": 1,
    "cp1253": 35,
    "cp1254": 36,
    "cp1255": 37,
    "cp1256": 38,
    "cp1257": 39,
    "cp1258": 40,
    "cp874": 32,
    "cp932": 60,
    "cp936": 61,
    "cp949": 62,
    "cp950": 63,
    "utf-8": 76,
}
ODF = "urn:oasis:names:tc:opendocument:xmlns"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SHEET, END = f'<worksheet xmlns="{MAIN}"><sheetData>', "</sheetData></worksheet>"
PLAIN: Rows = [["Name", "Country"], ["Harbor Dental", "US"], ["Müller, Söhne", "DE"]]


def table(names: list[str]) -> Rows:
    return [["Name", "Country"], *([name, "KR"] for name in names)]


def csv_text(rows: Rows, delimiter: str = ",", end: str = "\r\n") -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=end).writerows(rows)
    return text.getvalue()


def convert(content: bytes, source: str, filter_in: str, kind: str, filter_out: str = "") -> bytes:
    """Open a file in LibreOffice, and save it as another kind."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"in.{source}")
        path.write_bytes(content)
        profile = f"-env:UserInstallation=file://{tempfile.gettempdir()}/people-files-profile"
        to = f"{kind}:{filter_out}" if filter_out else kind
        options = [*([f"--infilter={filter_in}"] if filter_in else []), "--convert-to", to, "--outdir", f"{folder}/out"]
        command = ["soffice", profile, "--headless", *options, str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return next(Path(folder, "out").iterdir()).read_bytes()


def saved(rows: Rows, kind: str, filter_out: str = "") -> bytes:
    return convert(csv_text(rows).encode(), "csv", "CSV:44,34,76,1", kind, filter_out)


def saved_csv(rows: Rows, code_page: str, delimiter: str = ",") -> bytes:
    options = f"Text - txt - csv (StarCalc):{ord(delimiter)},34,{_LIBRE_OFFICE_CODES[code_page]},1"
    return saved(rows, "csv", options)


def workbook(rows: Rows) -> bytes:
    file = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        write_workbook(file, rows, folder)
    return file.getvalue()


def with_parts(parts: Mapping[str, str | bytes], base: bytes) -> bytes:
    """Return a workbook with these parts, which replace its own or are added to them."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(base)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in ({name: old.read(name) for name in old.namelist()} | dict(parts)).items():
            new.writestr(name, content)
    return file.getvalue()


def with_sheet(content: str | bytes) -> bytes:
    """A workbook whose sheet is this XML."""
    return with_parts({"xl/worksheets/sheet1.xml": content}, workbook(PLAIN))


def with_strings(content: str) -> bytes:
    """A workbook whose shared strings are this XML."""
    base = with_sheet(SHEET + END)
    with zipfile.ZipFile(io.BytesIO(base)) as old:
        types = old.read("[Content_Types].xml").decode()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    return with_parts(
        {"[Content_Types].xml": types.replace("</Types>", override), "xl/sharedStrings.xml": content}, base
    )


def rich_workbook() -> bytes:
    """A workbook with a blank row above the table, a formula, a number and a second sheet."""
    cell, types = "<table:table-cell", "office:value-type"

    def text(value: str) -> str:
        return f'{cell} {types}="string"><text:p>{value}</text:p></table:table-cell>'

    def row(*cells: str) -> str:
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    versions = {"office": "1.0", "table": "1.0", "text": "1.0", "of": "1.2"}
    namespaces = " ".join(f'xmlns:{name}="{ODF}:{name}:{version}"' for name, version in versions.items())
    formula = f'{cell} table:formula="of:=&quot;Har&quot;&amp;&quot;bor&quot;" {types}="string"/>'
    number = f'{cell} {types}="float" office:value="4"/>'
    rows = [
        row(cell + "/>"),
        row(text("Name"), text("Country"), text("Number of dentists")),
        row(formula, text("US"), number),
    ]
    second = row(text("Another"), text("Sheet"))
    sheets = (
        f'<table:table table:name="A">{"".join(rows)}</table:table><table:table table:name="B">{second}</table:table>'
    )
    flat = (
        f'<?xml version="1.0"?><office:document {namespaces} office:mimetype='
        '"application/vnd.oasis.opendocument.spreadsheet" office:version="1.2">'
        f"<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body></office:document>"
    )
    return convert(flat.encode(), "fods", "", "xlsx")


def files() -> dict[str, bytes]:
    """Return the files by their names."""
    contents = {
        f"program-{language}.csv": saved_csv(table(names), code_page)
        for language, (code_page, names) in IN_LANGUAGES.items()
    }
    contents |= {f"other-{name}.csv": saved_csv(table(names), name) for name, names in OTHERS.items()}
    far = '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>'
    ranges = f'</sheetData><dataValidations><dataValidation sqref="{"A1 " * 1_000_000}"/></dataValidations></worksheet>'
    xlsx = saved(PLAIN, "xlsx")
    return contents | {
        "program.xlsx": xlsx,
        "program-formula-two-sheets.xlsx": rich_workbook(),
        "program-semicolon.csv": saved_csv(PLAIN, "utf-8", ";"),
        "program.ods": saved(PLAIN, "ods"),
        "program.xls": saved(PLAIN, "xls"),
        "program.pdf": saved(PLAIN, "pdf"),
        "own-export.xlsx": workbook(PLAIN),
        "excel-utf-8.csv": csv_text(PLAIN, ";").encode("utf-8-sig"),
        "excel-unicode-text.txt": csv_text(PLAIN, "\t").encode("utf-16"),
        "excel-sep.csv": ("sep=;\r\n" + csv_text(PLAIN, ";")).encode("cp1252"),
        "excel-sep-bar.csv": ('"SEP=|"\r\n' + csv_text(PLAIN, "|")).encode("utf-8-sig"),
        "google.csv": csv_text(PLAIN).rstrip().encode(),
        "numbers.csv": csv_text(PLAIN, ";", "\n").encode(),
        "old-mac-line-ends.csv": csv_text(PLAIN, ",", "\r").encode(),
        "hand-blank-rows.csv": ("\r\n,\r\n" + csv_text(PLAIN) + ",\r\n\r\n").encode(),
        "hand-heads.csv": csv_text([["CLINIC NAME ", "Country_Code"], *PLAIN[1:]]).encode(),
        "hand-other-heads.csv": csv_text([["Bezeichnung", "Wo"], *PLAIN[1:]]).encode(),
        "hand-other-heads.xlsx": workbook([["Bezeichnung", "Wo"], *PLAIN[1:]]),
        "hand-twice.csv": csv_text([["Name", "name", "Country"], ["A", "B", "US"]]).encode(),
        "hand-heads-only.csv": csv_text(PLAIN[:1]).encode(),
        "hand-101-rows.xlsx": workbook([PLAIN[0], *([f"Clinic {n}", "US"] for n in range(101))]),
        "broken-quote.csv": b'Name,Country\r\n"Open,US\r\n',
        "broken-utf-16.txt": csv_text(PLAIN, "\t").encode("utf-16")[:-1],
        "broken-utf-8.csv": csv_text(PLAIN).encode("utf-8-sig").replace(b"\xbc", b""),
        "broken-cut.xlsx": xlsx[: len(xlsx) // 2],
        "broken-sheet.xlsx": with_sheet(f"{SHEET}<row><c"),
        "broken-image.csv": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        "hostile-bomb.xlsx": with_sheet(b" " * 9 * 1024 * 1024),
        "hostile-far-cell.xlsx": with_sheet(SHEET + far + END),
        "hostile-entities.xlsx": with_sheet(
            '<!DOCTYPE w [<!ENTITY a "xxxxxxxxxx">'
            + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
            + f']>{SHEET}<row><c t="inlineStr"><is><t>&j;</t></is></c></row>{END}'
        ),
        "hostile-cells.xlsx": with_sheet(f"{SHEET}<row>{'<c/>' * 2_000_000}</row>{END}"),
        "hostile-elements.xlsx": with_sheet(SHEET.replace("<sheetData>", "<x/>" * 2_000_000 + "<sheetData>") + END),
        "hostile-strings.xlsx": with_strings(f'<sst xmlns="{MAIN}">{"<si/>" * 1_600_000}</sst>'),
        "hostile-ranges.xlsx": with_sheet(SHEET + ranges),
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, content in files().items():
        Path(FOLDER, name).write_bytes(content)


if __name__ == "__main__":
    main()
