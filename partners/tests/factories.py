"""Labs as the service sends them."""

from typing import Any


def lab(number: int = 1, **values: Any) -> dict[str, Any]:
    return {
        "id": f"l-{number}", "name": f"Lab {number}", "labType": "BOTH", "address": "1 Main Street", "zipCode": "12345",
        "countryCode": "KR", "officePhone": "+82 2 555 0100", "foundedYear": 1998,
        "businessHours": [{"day": "MON", "open": "09:00", "close": "18:00"}], "timeZone": "Asia/Seoul",
        "services": ["CLEAR_ALIGNERS"], "communicationLanguages": ["ko", "en"], "servedCountries": ["KR", "US"],
        "contactEmail": "lab@labs.example", "websites": ["https://lab.labs.example"], "inPartnerList": False,
        **values,
    }  # fmt: skip
