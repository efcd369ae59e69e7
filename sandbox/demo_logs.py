"""The log of the demo data: earlier changes, made in the console and elsewhere, of rows that exist."""

from collections.abc import Callable, Iterator

from sandbox.store import Row

COUNT = 36
INTERVAL_DAYS = 2.3


def audit_logs(rows: dict[str, list[Row]], organization: str, ago: Callable[[float], str]) -> Iterator[Row]:
    """Yield an organization's entries, newest first; `ago` returns the date a number of days ago."""
    by_kind = {
        kind: [row for row in rows[kind] if row["organizationId"] == organization]
        for kind in ("clinics", "teams", "users", "scanners", "admins")
    }
    admins = [row for row in by_kind["admins"] if row["type"] != 3]
    for index in range(COUNT if by_kind["users"] else 0):
        user, team, scanner, clinic = (
            by_kind[kind][index * 7 % len(by_kind[kind])] for kind in ("users", "teams", "scanners", "clinics")
        )
        admin = admins[index % 4 // 3 % len(admins)]
        about: Row = (
            {
                "action": "UPDATE", "targetType": "USER", "row": user,
                "changes": [{"field": "userType", "old": "STAFF", "new": "DOCTOR"}],
            },
            {
                "action": "APPROVE", "targetType": "SCANNER", "row": scanner,
                "changes": [{"field": "status", "old": "PENDING", "new": "APPROVED"}],
            },
            {
                "action": "UPDATE", "targetType": "MAIN_GROUP", "row": clinic,
                "changes": [{"field": "allowExport", "old": True, "new": False}],
            },
            {
                "action": "UPDATE", "targetType": "SUB_GROUP", "row": team,
                "changes": [{"field": "name", "old": f"{team['name']} 1", "new": team["name"]}],
            },
        )[index % 4]  # fmt: skip
        row = about.pop("row")
        at = row["id"] if row is clinic else row["mainGroupId"]
        yield {
            "organizationId": organization, "date": ago(1 + index * INTERVAL_DAYS), "actorId": admin["id"],
            "actorName": admin["name"], **about, "targetId": row["id"],
            "targetName": row.get("name") or row["serialNumber"], "mainGroupId": at, "clinics": [at], "result": "DONE",
        }  # fmt: skip
