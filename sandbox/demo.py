"""The demo data: the same ids, names and counts after each reset, with dates relative to the reset."""

import itertools
import random
from collections.abc import Iterator

from sandbox.clock import iso
from sandbox.demo_labs import lab
from sandbox.demo_logs import audit_logs
from sandbox.demo_notices import notifications
from sandbox.names import CLINICS, DEMO_TEAM, TEAM_NAMES
from sandbox.people import DAY, DEMO_CLINIC, People
from sandbox.regions import DASHBOARD_HOST
from sandbox.store import Row

EDITION = 5  # of the demo data and the shape of rows; older data is recreated
SEED = 20_260_101
PERMISSIONS = ("allowOrder", "allowExport", "allowCaseConverting", "allowCaseTalk", "allowDownload")
SCANNER_STATES = ("APPROVED", "APPROVED", "PENDING", "DISAPPROVED", "APPROVAL_CANCELLED", "APPROVED")
PARTNERSHIP_STATES = (
    ("ACCEPTED", "ORGANIZATION"),
    ("PENDING", "LAB"),
    ("ACCEPTED", "LAB"),
    ("PENDING", "ORGANIZATION"),
    ("REJECTED", "LAB"),
    ("CANCELLED", "ORGANIZATION"),
    ("ENDED", "LAB"),
)
ORGANIZATIONS = (
    # id, name, country, server location, service domain, administrator, password, partner labs, notifications
    ("o-1", "Demo Dental Group", "KR", "KR", 1, "admin@demo.example", "Demo123!", 40, 140),
    ("o-2", "Other Dental Care", "DE", "EU", 2, "other@demo.example", "Other123!", 15, 40),
    ("o-3", "Pacific Smile Partners", "US", "US", 3, "third@demo.example", "Third123!", 5, 20),
    ("o-4", "Nova Dental", "KR", "KR", 1, "empty@demo.example", "Empty123!", 0, 0),
)
SCANNERS = {"o-1": 75, "o-2": 30, "o-3": 15}
LABS = 300
CLINIC_WITH_CASE = "g-24"


def build(now: float) -> dict[str, list[Row]]:
    """Return all rows by kind, with dates relative to `now`."""
    return _Demo(now).rows


def case(number: int, clinic: str, organization: str, user: str | None, status: str, lab: str | None = None) -> Row:
    """Return an ordered case: ONGOING, or PENDING with a lab."""
    return {
        "id": f"c-{number}", "organizationId": organization, "mainGroupId": clinic, "userId": user, "status": status,
        "label": f"Case {number}", "labId": lab,
    }  # fmt: skip


class _Demo:
    """Builds one kind after another; later kinds refer to earlier ones."""

    def __init__(self, now: float) -> None:
        self.now = now
        self.random = random.Random(SEED)
        self.rows: dict[str, list[Row]] = {"organizations": [], "admins": [], "permissions": []}
        self._organizations()
        self.rows["clinics"] = list(self._clinics())
        self.rows["teams"] = list(self._teams())
        self.indexes: dict[str, int] = {}
        self.rows["users"] = list(self._users())
        self._user_permissions()
        self.rows["labs"] = [lab(number, self.random) for number in range(1, LABS + 1)]
        self.rows["partner_list"] = list(self._partner_list())
        self.rows["partnerships"] = list(self._partnerships())
        self.rows["partner_list"] += self._only_listed()
        self.rows["cases"] = list(self._cases())
        self.rows["scanners"] = list(self._scanners())
        self.rows["scanner_history"] = list(self._scanner_history())
        self.rows["notifications"] = list(self._notifications())
        self.rows["audit_logs"] = list(self._audit_logs())

    def ago(self, days: float) -> str:
        return iso(self.now - days * DAY)

    def _organizations(self) -> None:
        for row_id, name, country, location, domain, email, password, labs, _count in ORGANIZATIONS:
            self.rows["organizations"].append({
                "id": row_id, "name": name, "countryCode": country, "serverLocation": location,
                "serviceDomainId": domain, "createdDate": self.ago(1200), "version": 3,
                "dashboardUrl": f"https://{DASHBOARD_HOST}/usage/{row_id}" if labs else None,
            })  # fmt: skip
            self._admin(email, password, row_id, 1, name.split()[0] + " Administrator")
        self._admin("group.admin@demo.example", "Group123!", "o-1", 2, "Grace Kim")
        self._admin("member@demo.example", "Member123!", "o-1", 3, "Noah Schmidt")

    def _admin(self, email: str, password: str, organization: str, account_type: int, name: str) -> None:
        admins = self.rows["admins"]
        admins.append({
            "id": f"a-{len(admins) + 1}", "email": email, "password": password, "organizationId": organization,
            "type": account_type, "name": name, "language": "en-US", "timeZone": None, "marketingAgreed": False,
            "dashboardUrl": None, "pendingEmail": None, "lastLoginDate": self.ago(1), "createdDate": self.ago(1200),
            "version": 7,
        })  # fmt: skip

    def _clinics(self) -> Iterator[Row]:
        number = itertools.count(1)
        for organization, clinics in CLINICS.items():
            location = next(row["serverLocation"] for row in self.rows["organizations"] if row["id"] == organization)
            for position, (name, country, _) in enumerate(clinics):
                row_id = f"g-{next(number)}"
                created = 1100 - position * 37.25
                values = {key: self.random.random() < 0.8 for key in PERMISSIONS}
                if row_id == DEMO_CLINIC:
                    values = dict.fromkeys(PERMISSIONS, True)
                self._permission_row(row_id, organization, "MAIN_GROUP", values)
                yield {
                    "id": row_id, "organizationId": organization, "name": name,
                    "info": None if position % 4 == 3 else f"Open Monday to {'Saturday' if position % 2 else 'Friday'}",
                    "countryCode": country, "serverLocation": location, "dentistCount": 3 + position % 7,
                    "staffCount": 4 + position % 9, "createdDate": self.ago(created),
                    "updatedDate": self.ago(created / 3), "version": 1 + position % 5,
                }  # fmt: skip

    def _permission_row(self, owner: str, organization: str, kind: str, values: dict[str, bool]) -> None:
        self.rows["permissions"].append({
            "id": owner, "organizationId": organization, "ownerType": kind, "values": values, "labs": {}, "version": 1,
        })  # fmt: skip

    def _teams(self) -> Iterator[Row]:
        types = dict(TEAM_NAMES)
        number = itertools.count(1)
        for clinic in self.rows["clinics"]:
            size = self._size(clinic)
            names = (
                list(DEMO_TEAM)
                if clinic["id"] == DEMO_CLINIC
                else [name for name, _ in TEAM_NAMES][: min(5, size // 7)]
            )
            for position, name in enumerate(names):
                yield {
                    "id": f"t-{next(number)}", "organizationId": clinic["organizationId"], "mainGroupId": clinic["id"],
                    "name": name, "teamType": types[name], "createdDate": self.ago(900 - position * 11.5), "version": 1,
                }  # fmt: skip

    def _size(self, clinic: Row) -> int:
        return next(size for name, _, size in CLINICS[clinic["organizationId"]] if name == clinic["name"])

    def _users(self) -> Iterator[Row]:
        people = People(self.now, self.random)
        for clinic in self.rows["clinics"]:
            teams = [team for team in self.rows["teams"] if team["mainGroupId"] == clinic["id"]]
            for index, user in enumerate(people.for_clinic(clinic, teams, self._size(clinic))):
                self.indexes[user["id"]] = index
                yield user

    def _user_permissions(self) -> None:
        """Give every sixth user permissions of their own."""
        for index, user in enumerate(self.rows["users"]):
            if index % 6 == 2:
                key = PERMISSIONS[index // 6 % len(PERMISSIONS)]
                self._permission_row(user["id"], user["organizationId"], "USER", {key: index % 4 == 2})

    def _partner_list(self) -> Iterator[Row]:
        number = itertools.count(1)
        for organization, *_, labs, _notifications in ORGANIZATIONS:
            for index in range(labs):
                yield {
                    "id": f"pl-{next(number)}", "organizationId": organization, "labId": f"l-{1 + index * 7}",
                    "addedDate": self.ago(300 - index * 3),
                }  # fmt: skip

    def _only_listed(self) -> Iterator[Row]:
        """Yield rows that put a few labs without requests or partnerships on the first organization's list."""
        for number, lab_id in enumerate(("l-4", "l-13", "l-24"), len(self.rows["partner_list"]) + 1):
            yield {"id": f"pl-{number}", "organizationId": "o-1", "labId": lab_id, "addedDate": self.ago(number)}

    def _partnerships(self) -> Iterator[Row]:
        """Give each clinic up to five partnerships, in all states; a few users have one of their own."""
        number, states = itertools.count(1), itertools.cycle(PARTNERSHIP_STATES)
        listed = {
            org: [row["labId"] for row in self.rows["partner_list"] if row["organizationId"] == org] for org in CLINICS
        }
        owners: list[tuple[str, Row, int]] = [
            ("MAIN_GROUP", clinic, 5 if clinic["id"] == DEMO_CLINIC else index % 4)
            for index, clinic in enumerate(self.rows["clinics"])
        ]
        some = self.rows["users"][7::90]
        owners += [("USER", user, 1) for user in some]
        partners = [user for user in self.rows["users"] if self.indexes[user["id"]] % 44 in (3, 8) and user not in some]
        accepted = len(owners)
        owners += [("USER", user, 1) for user in partners]
        for index, (kind, owner, count) in enumerate(owners):
            labs = listed[owner["organizationId"]]
            for step in range(count):
                status, requested_by = next(states) if index < accepted else PARTNERSHIP_STATES[0]
                requested = 5 + (index * 13 + step * 29) % 300
                yield {
                    "id": f"p-{next(number)}", "organizationId": owner["organizationId"],
                    "labId": labs[(index + step * 2) % len(labs)], "ownerType": kind, "ownerId": owner["id"],
                    "requestedBy": requested_by, "status": status,
                    "message": f"Hello from the {'lab' if requested_by == 'LAB' else 'clinic'}" if step % 2 else None,
                    "requestedDate": self.ago(requested),
                    "contractDate": self.ago(requested - 3) if status in ("ACCEPTED", "ENDED") else None,
                    "endedDate": self.ago(requested - 4) if status == "ENDED" else None, "version": 1,
                }  # fmt: skip

    def _cases(self) -> Iterator[Row]:
        """Give some users ordered cases, ongoing or pending with a lab; a clinic without users has one of its own.

        The lab is a partner of the user's clinic, if it has one.
        """
        number = itertools.count(1)
        partners = {row["ownerId"]: row["labId"] for row in self.rows["partnerships"] if row["status"] == "ACCEPTED"}
        for user in self.rows["users"]:
            index = self.indexes[user["id"]]
            if user["status"] in ("ACTIVE", "LOCKED"):
                ongoing = 1 + index % 3 if index % 11 == 3 else 0
                for status in ["ONGOING"] * ongoing + ["PENDING"] * (index % 22 == 19):
                    lab = partners.get(user["mainGroupId"])
                    yield case(next(number), user["mainGroupId"], user["organizationId"], user["id"], status, lab)
        clinic = next(row for row in self.rows["clinics"] if row["id"] == CLINIC_WITH_CASE)
        yield case(next(number), clinic["id"], clinic["organizationId"], None, "ONGOING", partners.get(clinic["id"]))

    def _scanners(self) -> Iterator[Row]:
        number = itertools.count(1)
        for organization, count in SCANNERS.items():
            people = [user for user in self.rows["users"] if user["organizationId"] == organization]
            for index in range(count):
                user, row_id = people[index * 7 % len(people)], next(number)
                status, connected = SCANNER_STATES[index % len(SCANNER_STATES)], 1 + index * 3.5
                yield {
                    "id": f"s-{row_id}", "organizationId": organization,
                    "serialNumber": f"EA{index % 9}-{48_271 + row_id * 913}",
                    "model": ("i500", "i700", "i900")[(index + index // 6) % 3],
                    "softwareVersion": None if index % 5 == 4 else f"3.{index % 4}.{index % 10}",
                    "status": status, "mainGroupId": user["mainGroupId"],
                    "connectedUserId": user["id"], "connectedDate": self.ago(connected),
                    "approvedDate": self.ago(connected - 0.5) if status in ("APPROVED", "APPROVAL_CANCELLED") else None,
                    "lastScannedDate": None if index % 7 == 6 else self.ago(connected / 4),
                    "firstConnectedDate": self.ago(connected + 90), "version": 1,
                }  # fmt: skip

    def _scanner_history(self) -> Iterator[Row]:
        """Yield the events that led to each scanner's state."""
        number = itertools.count(1)
        names = {user["id"]: user["name"] for user in self.rows["users"]}
        for scanner in self.rows["scanners"]:
            admin = next(a["name"] for a in self.rows["admins"] if a["organizationId"] == scanner["organizationId"])
            user, status = names[scanner["connectedUserId"]], scanner["status"]
            events = [("firstConnectedDate", "CONNECTED", user), ("connectedDate", "CONNECTED", user)]
            if scanner["approvedDate"]:
                events.append(("approvedDate", "APPROVED", admin))
            if status in ("DISAPPROVED", "APPROVAL_CANCELLED"):
                events.append(("connectedDate", status, admin))
            for date, event, actor in events:
                yield {
                    "id": f"sh-{next(number)}", "scannerId": scanner["id"], "date": scanner[date], "event": event,
                    "actorName": actor, "mainGroupId": scanner["mainGroupId"],
                }  # fmt: skip

    def _notifications(self) -> Iterator[Row]:
        number = itertools.count(1)
        for position, (organization, *_, count) in enumerate(ORGANIZATIONS):
            for row in notifications(self.rows, organization, f"a-{position + 1}", count, self.ago):
                yield {"id": f"n-{next(number)}", **row}

    def _audit_logs(self) -> Iterator[Row]:
        number = itertools.count(1)
        for organization, *_ in ORGANIZATIONS:
            for row in audit_logs(self.rows, organization, self.ago):
                yield {"id": f"e-{next(number)}", **row}
