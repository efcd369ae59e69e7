"""Objects of the upstream service as it sends them; each factory takes what a test cares about."""

from typing import Any

API = "https://api.example"
HANDLER = "https://handler.example"
REGION_API = "https://eu.api.example"
ADMIN = {"id": "a-1", "email": "admin@demo.example", "organizationId": "o-1", "type": 1, "name": "Dana Admin"}
REGION = {"serviceDomainId": 7, "domainUrls": {"1": "https://eu.example", "2": REGION_API}}


def token(number: int = 1, **admin: Any) -> dict[str, Any]:
    return {
        "accessToken": f"access-{number}",
        "refreshToken": f"refresh-{number}",
        "adminDetail": {**ADMIN, **admin},
        "adminId": "a-1",
    }


def organization(**values: Any) -> dict[str, Any]:
    return {"id": "o-1", "name": "Demo Dental Group", **values}


def clinic(number: int = 1, **values: Any) -> dict[str, Any]:
    return {
        "id": f"g-{number}",
        "organizationId": "o-1",
        "name": f"Clinic {number}",
        "countryCode": "KR",
        "serverLocation": "KR",
        "userCount": 24,
        "subGroupCount": 3,
        "partnerCount": 1,
        "createdDate": "2026-01-05T08:30:00Z",
        "lastActivityDate": "2026-01-05T08:30:00Z",
        "version": 1,
        **values,
    }


def compared(number: int = 1, **values: Any) -> dict[str, Any]:
    """A clinic as a list with permissions has it; what is a yes or no is one of these."""
    switches: dict[str, Any] = permissions()["permissions"]
    switches |= {name: {"value": values.pop(name), "source": "OWN"} for name in switches.keys() & values.keys()}
    return clinic(number, **{"permissions": switches, "permissionsVersion": 2, **values})


def team(number: int = 1, **values: Any) -> dict[str, Any]:
    return {
        "id": f"t-{number}",
        "mainGroupId": "g-1",
        "mainGroupName": "Clinic 1",
        "name": f"Team {number}",
        "teamType": "GENERAL",
        "userCount": 0,
        "createdDate": "2026-02-03T08:30:00Z",
        "version": 1,
        **values,
    }


def team_types(**types: str) -> dict[str, Any]:
    """The kinds of teams by their codes."""
    results = [{"code": code, "name": name} for code, name in (types or {"GENERAL": "General"}).items()]
    return {"resultCount": len(results), "results": results}


def user(number: int = 1, **values: Any) -> dict[str, Any]:
    return {
        "id": f"u-{number}",
        "mainGroupId": "g-1",
        "mainGroupName": "Clinic 1",
        "subGroupId": "t-1",
        "subGroupName": "Team 1",
        "name": f"User {number}",
        "userType": "DOCTOR",
        "email": f"user{number}@clinic.example",
        "status": "ACTIVE",
        "lastLoginDate": "2026-11-01T08:30:00Z",
        "version": 1,
        **values,
    }


def scanner(number: int = 1, **values: Any) -> dict[str, Any]:
    return {
        "id": f"s-{number}",
        "serialNumber": f"EA1-{1000 + number}",
        "model": "i900",
        "softwareVersion": "3.1.4",
        "status": "PENDING",
        "mainGroupId": "g-1",
        "mainGroupName": "Clinic 1",
        "connectedUserId": "u-1",
        "connectedUserName": "User 1",
        "connectedDate": "2026-11-01T08:30:00Z",
        "approvedDate": None,
        "lastScannedDate": None,
        "firstConnectedDate": "2026-10-01T08:30:00Z",
        "version": 1,
        **values,
    }


def scanner_event(event: str = "CONNECTED", **values: Any) -> dict[str, Any]:
    return {
        "date": "2026-11-01T08:30:00Z",
        "event": event,
        "actorName": "User 1",
        "mainGroupName": "Clinic 1",
        **values,
    }


def permissions(*, version: int = 2, owner: str = "MAIN_GROUP", source: str = "OWN", **values: bool) -> dict[str, Any]:
    names = ("allowOrder", "allowExport", "allowCaseConverting", "allowCaseTalk", "allowDownload")
    return {
        "owner": {"type": owner, "id": "g-1"},
        "permissions": {name: {"value": values.get(name, True), "source": source} for name in names},
        "orderLabs": [],
        "version": version,
    }


def lab(number: int = 1, **values: Any) -> dict[str, Any]:
    return {
        "id": f"l-{number}", "name": f"Lab {number}", "labType": "BOTH", "address": "1 Main Street", "zipCode": "12345",
        "countryCode": "KR", "officePhone": "+82 2 555 0100", "foundedYear": 1998,
        "businessHours": [{"day": "MON", "open": "09:00", "close": "18:00"}], "timeZone": "Asia/Seoul",
        "services": ["CLEAR_ALIGNERS"], "communicationLanguages": ["ko", "en"], "servedCountries": ["KR", "US"],
        "contactEmail": "lab@labs.example", "websites": ["https://lab.labs.example"], "inPartnerList": False,
        **values,
    }  # fmt: skip


def partnership(number: int = 1, **values: Any) -> dict[str, Any]:
    """A request of a lab for a clinic that is not answered yet."""
    return {
        "id": f"p-{number}",
        "organizationId": "o-1",
        "labId": "l-1",
        "labName": "Smile Lab",
        "owner": {"type": "MAIN_GROUP", "id": "g-1", "name": "Clinic 1"},
        "requestedBy": "LAB",
        "status": "PENDING",
        "requestedDate": "2026-02-03T08:30:00Z",
        "version": 3,
        **values,
    }


def listing(
    results: list[dict[str, Any]], *, total: int | None = None, page: int = 1, size: int = 25
) -> dict[str, Any]:
    return {"resultCount": len(results) if total is None else total, "page": page, "size": size, "results": results}


def summary(**values: Any) -> dict[str, Any]:
    return {"mainGroupCount": 2, "subGroupCount": 3, "userCount": 24, "invitedUserCount": 1, **values}


def notification(number: int = 1, **values: Any) -> dict[str, Any]:
    return {
        "id": f"n-{number}",
        "type": "INVITATION_EXPIRED",
        "params": {"name": "Hana Park", "email": "hana@demo.example"},
        "target": {"type": "USER", "id": "u-1"},
        "read": False,
        "createdDate": "2026-01-05T08:30:00Z",
        **values,
    }


def log_entry(number: int = 1, **values: Any) -> dict[str, Any]:
    """An entry of the log that the service keeps itself."""
    return {
        "id": f"e-{number}",
        "date": "2026-01-05T08:30:00Z",
        "actorId": "a-7",
        "actorName": "Grace Kim",
        "action": "UPDATE",
        "targetType": "USER",
        "targetId": "u-1",
        "targetName": "User 1",
        "mainGroupId": "g-1",
        "changes": [{"field": "userType", "old": "STAFF", "new": "DOCTOR"}],
        "result": "DONE",
        **values,
    }


def refusal(code: int, **details: Any) -> dict[str, Any]:
    return {"code": code, "message": "raw words of the service", "traceId": "t", "details": details}
