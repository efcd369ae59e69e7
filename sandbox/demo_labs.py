"""The labs of the demo data: from ten countries, some with all fields and some with few."""

import random

from sandbox.names import LAB_FIRST, LAB_LAST, SERVICES
from sandbox.store import Row

WORKDAYS = ("MON", "TUE", "WED", "THU", "FRI")
# country, language, time zone, city, latitude, longitude, calling code
CITIES = (
    ("KR", "ko", "Asia/Seoul", "Seoul", 37.57, 126.98, "+82 2 555"),
    ("US", "en", "America/New_York", "New York", 40.71, -74.01, "+1 212 555"),
    ("DE", "de", "Europe/Berlin", "Berlin", 52.52, 13.41, "+49 30 555"),
    ("FR", "fr", "Europe/Paris", "Paris", 48.86, 2.35, "+33 1 55 55"),
    ("IT", "it", "Europe/Rome", "Roma", 41.9, 12.5, "+39 06 555"),
    ("EG", "ar", "Africa/Cairo", "Cairo", 30.04, 31.24, "+20 2 555"),
    ("TH", "th", "Asia/Bangkok", "Bangkok", 13.76, 100.5, "+66 2 555"),
    ("GR", "el", "Europe/Athens", "Athens", 37.98, 23.73, "+30 21 555"),
    ("RU", "ru", "Europe/Moscow", "Moscow", 55.76, 37.62, "+7 495 555"),
    ("JP", "ja", "Asia/Tokyo", "Tokyo", 35.68, 139.69, "+81 3 555"),
)
STREETS = ("Main Street", "Station Road", "Market Square", "Garden Lane", "Harbor Street")


def lab(number: int, chance: random.Random) -> Row:
    """Return the lab of this number; `place` is internal."""
    country, language, zone, city, latitude, longitude, phone = CITIES[number % len(CITIES)]
    name = f"{LAB_FIRST[number % len(LAB_FIRST)]} {LAB_LAST[number // len(LAB_FIRST) % len(LAB_LAST)]}"
    return {
        "id": f"l-{number}", "name": name, "labType": ("PROSTHODONTIST", "ORTHODONTIST", "BOTH")[number % 3],
        "address": f"{number} {STREETS[number % len(STREETS)]}, {city}", "zipCode": f"{10_000 + number * 37}",
        "countryCode": country, "officePhone": f"{phone} {number % 10_000:04}",
        "foundedYear": None if number % 23 == 5 else 1970 + number % 55, "businessHours": _hours(number),
        "timeZone": None if number % 19 == 4 else zone, "services": chance.sample(SERVICES, 2 + number % 5),
        "communicationLanguages": _once(language, *("en",) * (number % 2), *("ko",) * (number % 4 == 0)),
        "servedCountries": sorted({country, "US", *("KR",) * (number % 3 == 0), *("CA", "MX") * (number % 5 == 1)}),
        "contactEmail": f"lab{number}@labs.example", "websites": _websites(number),
        "place": [latitude + number % 7 / 10, longitude - number % 11 / 10], "leftDate": None,
    }  # fmt: skip


def _once(*values: str) -> list[str]:
    return list(dict.fromkeys(values))


def _hours(number: int) -> list[Row] | str | None:
    """Return hours of several kinds: with a break, over midnight, as free text, or none at all."""
    if number % 17 == 3:
        return "Monday to Friday from 9 to 6, in August by appointment only"
    if number % 17 == 9:
        return None
    if number % 17 == 12:
        return [{"day": day, "open": "20:00", "close": "04:00"} for day in WORKDAYS]
    if number % 4 == 1:
        halves = (("08:30", "12:00"), ("13:00", "17:30"))
        return [{"day": day, "open": opens, "close": closes} for day in WORKDAYS for opens, closes in halves]
    days = [{"day": day, "open": "09:00", "close": "18:00"} for day in WORKDAYS]
    return days + [{"day": "SAT", "open": "09:00", "close": "13:00"}] * (number % 2)


def _websites(number: int) -> list[str]:
    """Return none, one or two websites; a few labs left out the https."""
    website = f"https://lab{number}.labs.example"
    if number % 13 == 6:
        return []
    if number % 13 == 7:
        return [f"www.lab{number}.labs.example"]
    return [website, f"https://shop.labs.example/lab/{number}"] if number % 13 == 8 else [website]
