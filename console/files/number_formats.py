"""Format numbers as a spreadsheet program shows them, if their format adds information to the number.

Leading zeros, literals, dates and time spans are part of the visible content of a cell. The numbers of decimals and
separators are not: a plain number is returned as it is stored.
"""

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal

MAX_EXACT_INTEGER = 10**15
"""Spreadsheet programs keep 15 digits; the other digits of a longer number are lost."""

_TOKEN = re.compile(
    r"""(?P<literal>"[^"]*"|\\.)|(?P<blank>_.|\*.|\s)|(?P<bracket>\[[^\[\]]*\])|(?P<general>General)"""
    r"""|(?P<digit>[0#?])|(?P<power>[Ee][+-])|(?P<mark>[.,%/@])|(?P<other>.)""",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\]")
_SPAN_UNIT = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)

_DATE_TOKEN = re.compile(
    r"""(?P<literal>"[^"]*"|\\.)|(?P<name>m{3,}|d{3,})|(?P<unit>y{1,4}|m{1,2}|d{1,2}|h{1,2}|s{1,2})"""
    r"""|(?P<half>AM/PM)|(?P<bracket>\[\$-[0-9a-e][^\[\]]*\])|(?P<mark>[-/:., ])|(?P<other>.)""",
    re.IGNORECASE | re.DOTALL,
)
_LOCALE_DEPENDENT_FORMATS = ("mm-dd-yy", "m/d/yy h:mm")
"""Formats that depend on the settings of the system."""

Token = tuple[str, str]


def number_text(value: float, code: str) -> str:
    """Return a number as its format shows it."""
    if abs(value) >= MAX_EXACT_INTEGER:
        return f"{Decimal(value):.14E}"
    number = Decimal(repr(value))
    section, is_absolute = _section_for(number, _sections(code))
    tokens = _tokens(section)
    if any(kind == "power" for kind, _text in tokens) or _has_fraction(tokens) or not _adds_something(tokens):
        return plain_number(value)
    if ("mark", "@") in tokens:  # a text format shows a number unchanged
        return plain_number(value)
    if any(kind == "general" for kind, _text in tokens):
        plain = plain_number(abs(value) if is_absolute else value)
        result = "".join(plain if kind == "general" else text for kind, text in tokens if kind != "bracket").strip()
    else:
        result = _filled(abs(number), tokens)
        if number < 0 and not is_absolute:
            result = f"-{result}"
    return result if not result or any(map(str.isalnum, result)) else plain_number(value)


def formatted_text(value: str, code: str) -> str:
    """Return a text as its format shows it: between the literals next to its @."""
    sections = _sections(code)
    last = _tokens(sections[-1])
    if len(sections) < 4 and not any(token == ("mark", "@") for token in last):
        return value
    return "".join(value if token == ("mark", "@") else token[1] for token in last if token[0] != "bracket")


def plain_number(value: float) -> str:
    """Return a number with the 15 digits that spreadsheet programs keep, without an exponent."""
    text = format(value, ".15g")
    return format(Decimal(text), "f") if "e" in text else text


def span_text(value: timedelta, code: str) -> str:
    """Return a time span such as [h]:mm in its largest unit, which has no upper limit."""
    unit = _SPAN_UNIT.search(code)
    seconds = round(abs(value).total_seconds())
    sign = "-" if value < timedelta(0) and seconds else ""
    hours, minutes, remaining = seconds // 3600, seconds // 60 % 60, seconds % 60
    match (unit[1][0] if unit else "h").lower():
        case "s":
            text = str(seconds)
        case "m":
            text = f"{seconds // 60:02}:{remaining:02}"
        case _:
            text = f"{hours}:{minutes:02}"
            if remaining or "s" in code.lower():
                text = f"{text}:{remaining:02}"
    return f"{sign}{text}"


def date_text(value: date | time, code: str) -> str:
    """Return a date or a time as its format shows it, or in ISO 8601 if that depends on a language or a system."""
    tokens = [(str(match.lastgroup), match[0]) for match in _DATE_TOKEN.finditer(_sections(code)[0])]
    kinds = {kind for kind, _text in tokens}
    parts = (
        []
        if code in _LOCALE_DEPENDENT_FORMATS or kinds & {"other", "name"} or "unit" not in kinds
        else _units(value, tokens)
    )
    return "".join(parts).strip() or _iso(value)


def _iso(value: date | time) -> str:
    match value:
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
        case time():
            return value.isoformat("seconds" if value.second else "minutes")
    return value.isoformat()


def _units(value: date | time, tokens: list[Token]) -> list[str]:
    """Return the parts of a formatted date or time; none if the value lacks a requested unit."""
    parts, before = list[str](), ""
    units = [text.lower() for kind, text in tokens if kind == "unit"]
    uses_12_hours = any(kind == "half" for kind, _text in tokens)
    for kind, text in tokens:
        match kind:
            case "unit":
                unit, after = units.pop(0), units[0] if units else ""
                is_minute = unit[0] == "m" and (before[:1] == "h" or after[:1] == "s")
                name = {"y": "year", "m": "minute" if is_minute else "month", "d": "day", "h": "hour", "s": "second"}
                number = getattr(value, name[unit[0]], None)
                if number is None:
                    return []
                if unit[0] == "h" and uses_12_hours:
                    number = number % 12 or 12
                parts.append(
                    f"{number:04}"[-2 if len(unit) < 3 else 0 :] if unit[0] == "y" else f"{number:0{len(unit)}}"
                )
                before = unit
            case "half":
                parts.append("AM" if getattr(value, "hour", 0) < 12 else "PM")
            case "literal":
                parts.append(text[1:-1] if text.startswith('"') else text[1:])
            case "mark":
                parts.append(text)
    return parts


def _sections(code: str) -> list[str]:
    """Split a format into its sections: positive; negative; zero; text."""
    sections = [""]
    for match in _TOKEN.finditer(code):
        if match[0] == ";":
            sections.append("")
        else:
            sections[-1] += match[0]
    return sections


def _section_for(number: Decimal, sections: list[str]) -> tuple[str, bool]:
    """Return the section for a number, and whether the section replaces the sign."""
    numeric = sections[:3]
    conditions = [_CONDITION.search(section) for section in numeric]
    if any(conditions):
        for section, condition in zip(numeric, conditions, strict=True):
            if condition and _holds(number, condition[1], Decimal(condition[2])):
                return section, False
        others = [section for section, condition in zip(numeric, conditions, strict=True) if not condition]
        return (others or numeric[-1:])[0], False
    if number < 0 and len(numeric) > 1:
        return numeric[1], True
    if number == 0 and len(numeric) > 2:
        return numeric[2], True
    return numeric[0], False


def _holds(number: Decimal, operator: str, limit: Decimal) -> bool:
    match operator:
        case "<":
            return number < limit
        case "<=":
            return number <= limit
        case ">":
            return number > limit
        case ">=":
            return number >= limit
        case "=":
            return number == limit
    return number != limit


def _tokens(section: str) -> list[Token]:
    tokens: list[Token] = []
    for match in _TOKEN.finditer(section):
        kind, text = str(match.lastgroup), match[0]
        match kind:
            case "literal":
                tokens.append(("literal", text[1:-1] if text.startswith('"') else text[1:]))
            case "blank":
                tokens.append(("blank", " " if text != "" and text[0] != "*" else ""))
            case "bracket" if text.startswith("[$"):  # a currency, with the code of its language
                tokens.append(("literal", text[2:-1].split("-")[0]))
            case "other":
                tokens.append(("literal", text))
            case _:
                tokens.append((kind, text))
    return tokens


def _has_fraction(tokens: list[Token]) -> bool:
    return ("mark", "/") in tokens


def _adds_something(tokens: list[Token]) -> bool:
    """Return whether a section changes the number: by literals, leading zeros or percent, or by hiding it."""
    kinds = {kind for kind, _text in tokens}
    if not kinds & {"digit", "general"}:
        return True
    whole = tokens[: tokens.index(("mark", "."))] if ("mark", ".") in tokens else tokens
    return (
        any(kind == "literal" and text.strip() for kind, text in tokens)
        or ("mark", "%") in tokens
        or whole.count(("digit", "0")) > 1
    )


def _filled(number: Decimal, tokens: list[Token]) -> str:
    """Fill the digits of a number into the placeholders of a section."""
    point = tokens.index(("mark", ".")) if ("mark", ".") in tokens else len(tokens)
    whole, decimals = tokens[:point], tokens[point + 1 :]
    slots = [index for index, (kind, _text) in enumerate(whole) if kind == "digit"]
    # Commas after the last digit divide by a thousand each; between digits they are separators.
    after = max((index for index, (kind, _text) in enumerate(tokens) if kind == "digit"), default=-1)
    scale = tokens[after + 1 :].count(("mark", ","))
    is_grouped = bool(slots) and ("mark", ",") in whole[: slots[-1]]
    number = number.scaleb(2 * tokens.count(("mark", "%")) - 3 * scale)
    count = sum(kind == "digit" for kind, _text in decimals)
    rounded = number.quantize(Decimal(1).scaleb(-count), ROUND_HALF_UP)
    integer, _point, fraction = f"{rounded:f}".partition(".")
    return (_whole(integer.lstrip("0"), whole, slots, is_grouped=is_grouped) + _decimals(fraction, decimals)).strip()


def _whole(digits: str, tokens: list[Token], slots: list[int], *, is_grouped: bool) -> str:
    parts = ["" if kind in ("mark", "bracket") else text for kind, text in tokens]
    for index, (kind, text) in enumerate(tokens):
        if (kind, text) == ("mark", "%"):
            parts[index] = "%"
    position = 0
    for index in reversed(slots):
        digit, digits = digits[-1:], digits[:-1]
        digit = digit or {"0": "0", "?": " "}.get(tokens[index][1], "")
        if index == slots[0]:
            digit = digits + digit
        parts[index] = digit
        if is_grouped and digit.strip():
            parts[index], position = _grouped(digit, position)
    return "".join(parts)


def _grouped(digits: str, position: int) -> tuple[str, int]:
    """Put a comma before every third digit, counted from the right, of which some are `taken` already."""
    text = ""
    for digit in reversed(digits):
        text = digit + ("," if position and position % 3 == 0 else "") + text
        position += 1
    return text, position


def _decimals(digits: str, tokens: list[Token]) -> str:
    needed = [text for kind, text in tokens if kind == "digit"]
    visible = list(digits)
    while visible and visible[-1] == "0" and needed[len(visible) - 1] != "0":
        visible.pop()
    remaining = iter(visible)
    parts = []
    for kind, text in tokens:
        if kind == "digit":
            parts.append(next(remaining, ""))
        elif (kind, text) == ("mark", "%") or kind not in ("mark", "bracket"):
            parts.append(text)
    return ("." if visible else "") + "".join(parts)
