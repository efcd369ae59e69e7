"""The demo data: the same ids, names and counts at each reset, with dates relative to the moment of the reset."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from sandbox.clock import iso
from sandbox.names import (
    CLINICS,
    DEMO_TEAM,
    LAB_FIRST,
    LAB_LAST,
    LATIN,
    SCRIPTS,
    SERVICES,
    TEAM_NAMES,
)
from sandbox.store import Row

DAY = 86_400
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
)
SCANNERS = {"o-1": 75, "o-2": 30, "o-3": 15}
LABS = 300
WORKDAYS = ("MON", "TUE", "WED", "THU", "FRI")
LAB_COUNTRIES = ("KR", "US", "DE", "FR", "IT", "EG", "TH", "GR", "RU", "JP")


def build(now: float) -> dict[str, list[Row]]:
    """Return all rows by kind, as they are at `now`."""
    return _Demo(now).rows


class _Demo:
    """Builds one kind after the other; later kinds refer to earlier ones."""

    def __init__(self, now: float) -> None:
        self.now = now - now % 60
        self.random = random.Random(SEED)
        self.addresses: set[str] = set()
        self.rows: dict[str, list[Row]] = {"organizations": [], "admins": [], "permissions": []}
        self._organizations()
        self.rows["clinics"] = list(self._clinics())
        self.rows["teams"] = list(self._teams())
        self.rows["users"] = list(self._users())
        self._user_permissions()
        self.rows["labs"] = [self._lab(number) for number in range(1, LABS + 1)]
        self.rows["partner_list"] = list(self._partner_list())
        self.rows["partnerships"] = list(self._partnerships())
        self.rows["scanners"] = list(self._scanners())
        self.rows["notifications"] = list(self._notifications())

    def ago(self, days: float) -> str:
        return iso(self.now - days * DAY)

    def _organizations(self) -> None:
        for row_id, name, country, location, domain, email, password, *_ in ORGANIZATIONS:
            self.rows["organizations"].append({
                "id": row_id, "name": name, "countryCode": country, "serverLocation": location,
                "serviceDomainId": domain, "createdDate": self.ago(1200), "version": 3,
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
                if row_id == "g-1":
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
            names = list(DEMO_TEAM) if clinic["id"] == "g-1" else [name for name, _ in TEAM_NAMES][: min(5, size // 7)]
            for position, name in enumerate(names):
                yield {
                    "id": f"t-{next(number)}", "organizationId": clinic["organizationId"], "mainGroupId": clinic["id"],
                    "name": name, "teamType": types[name], "createdDate": self.ago(900 - position * 11.5), "version": 1,
                }  # fmt: skip

    def _size(self, clinic: Row) -> int:
        return next(size for name, _, size in CLINICS[clinic["organizationId"]] if name == clinic["name"])

    def _users(self) -> Iterator[Row]:
        number = itertools.count(1)
        for clinic in self.rows["clinics"]:
            teams = [team for team in self.rows["teams"] if team["mainGroupId"] == clinic["id"]]
            if clinic["id"] == "g-1":
                people = [
                    (name, address, kind, team["id"])
                    for team in teams
                    for name, address, kind in DEMO_TEAM[team["name"]]
                ]
            else:
                people = [self._person(clinic, teams, place) for place in range(self._size(clinic))]
            for place, (name, address, kind, team_id) in enumerate(people):
                yield self._user(next(number), clinic, place, name, address, kind, team_id)

    def _person(self, clinic: Row, teams: list[Row], place: int) -> tuple[str, str, str, str | None]:
        country = clinic["countryCode"]
        given_names, families = SCRIPTS[country] if country in SCRIPTS and place % 5 else LATIN
        given, address = self.random.choice(given_names)
        family, family_address = self.random.choice(families)
        name = f"{family}{given}" if country == "KR" and place % 5 else f"{given} {family}"
        team = teams[place % len(teams)]["id"] if teams and place % 9 else None
        return name, f"{address}.{family_address}", "DOCTOR" if self.random.random() < 0.45 else "STAFF", team

    def _user(
        self, number: int, clinic: Row, place: int, name: str, address: str, kind: str, team_id: str | None
    ) -> Row:
        local = address if clinic["id"] == "g-1" else self._free_address(address)
        host = {"o-1": "demo", "o-2": "other", "o-3": "third"}[clinic["organizationId"]]
        self.addresses.add(local)
        status = {4: "INVITED", 11: "INVITATION_EXPIRED", 17: "LOCKED"}.get(place % 20, "ACTIVE")
        invited = {"INVITED": 2.0, "INVITATION_EXPIRED": 30.0}.get(status, 400 - place * 2.5)
        return {
            "id": f"u-{number}", "organizationId": clinic["organizationId"], "mainGroupId": clinic["id"],
            "subGroupId": team_id, "name": name, "userType": kind, "email": f"{local}@{host}.example",
            "accountType": 2 if local == "group.admin" else 3, "status": status,
            "lastLoginDate": self._last_login(place) if status in ("ACTIVE", "LOCKED") else None,
            "invitedDate": self.ago(invited), "invitationExpiresDate": self.ago(invited - 7),
            "deleteBlockers": self._blockers(place), "createdDate": self.ago(invited), "version": 1 + place % 4,
        }  # fmt: skip

    def _free_address(self, address: str) -> str:
        for suffix in itertools.count(1):
            candidate = address if suffix == 1 else f"{address}{suffix}"
            if candidate not in self.addresses:
                return candidate
        raise AssertionError  # count() does not end

    def _last_login(self, place: int) -> str | None:
        """Spread the last logins from minutes ago to more than a year ago, and never."""
        days = (0.01, 0.08, 0.3, 1.2, 2.5, 4, 7.5, 12, 20, 33, 47, 65, 95, None, 140, 200, 290, 410)[place % 18]
        return None if days is None else self.ago(days + place * 0.011)

    def _blockers(self, place: int) -> list[dict[str, Any]]:
        blockers = []
        if place % 11 == 3:
            blockers.append({"reason": "ONGOING_ORDERED_CASE", "count": 1 + place % 3})
        if place % 22 in (3, 8):
            blockers.append({"reason": "PARTNER_WITH_LAB", "count": 1})
        return blockers

    def _user_permissions(self) -> None:
        """Give every sixth user something of their own."""
        for place, user in enumerate(self.rows["users"]):
            if place % 6 == 2:
                key = PERMISSIONS[place // 6 % len(PERMISSIONS)]
                self._permission_row(user["id"], user["organizationId"], "USER", {key: place % 4 == 2})

    def _lab(self, number: int) -> Row:
        name = f"{LAB_FIRST[number % len(LAB_FIRST)]} {LAB_LAST[number // len(LAB_FIRST) % len(LAB_LAST)]}"
        country = LAB_COUNTRIES[number % len(LAB_COUNTRIES)]
        return {
            "id": f"l-{number}", "name": name, "labType": ("PROSTHODONTIST", "ORTHODONTIST", "BOTH")[number % 3],
            "address": f"{number} Main Street", "zipCode": f"{10_000 + number * 37}", "countryCode": country,
            "officePhone": f"+1 555 01{number % 100:02}", "foundedYear": 1970 + number % 55,
            "businessHours": [{"day": day, "open": "09:00", "close": "18:00"} for day in WORKDAYS],
            "timeZone": "UTC", "services": self.random.sample(SERVICES, 2 + number % 5),
            "communicationLanguages": ["en", "ko"][: 1 + number % 2], "servedCountries": sorted({country, "US"}),
            "contactEmail": f"lab{number}@labs.example", "websites": [f"https://lab{number}.labs.example"],
        }  # fmt: skip

    def _partner_list(self) -> Iterator[Row]:
        number = itertools.count(1)
        for organization, *_, labs, _notifications in ORGANIZATIONS:
            for place in range(labs):
                yield {
                    "id": f"pl-{next(number)}", "organizationId": organization, "labId": f"l-{1 + place * 7}",
                    "addedDate": self.ago(300 - place * 3),
                }  # fmt: skip

    def _partnerships(self) -> Iterator[Row]:
        """Give each clinic up to five partnerships, in all states; few users have one of their own."""
        number, states = itertools.count(1), itertools.cycle(PARTNERSHIP_STATES)
        listed = {
            org: [row["labId"] for row in self.rows["partner_list"] if row["organizationId"] == org] for org in CLINICS
        }
        owners: list[tuple[str, Row, int]] = [
            ("MAIN_GROUP", clinic, 5 if clinic["id"] == "g-1" else place % 4)
            for place, clinic in enumerate(self.rows["clinics"])
        ]
        owners += [("USER", user, 1) for user in self.rows["users"][7::90]]
        for place, (kind, owner, count) in enumerate(owners):
            labs = listed[owner["organizationId"]]
            for step in range(count):
                status, requested_by = next(states)
                requested = 5 + (place * 13 + step * 29) % 300
                yield {
                    "id": f"p-{next(number)}", "organizationId": owner["organizationId"],
                    "labId": labs[(place + step * 2) % len(labs)], "ownerType": kind, "ownerId": owner["id"],
                    "requestedBy": requested_by, "status": status,
                    "message": "Hello from the lab" if step % 2 else None,
                    "requestedDate": self.ago(requested),
                    "contractDate": self.ago(requested - 3) if status in ("ACCEPTED", "ENDED") else None,
                    "endedDate": self.ago(requested - 4) if status == "ENDED" else None, "version": 1,
                }  # fmt: skip

    def _scanners(self) -> Iterator[Row]:
        number = itertools.count(1)
        for organization, count in SCANNERS.items():
            people = [user for user in self.rows["users"] if user["organizationId"] == organization]
            for place in range(count):
                user, row_id = people[place * 7 % len(people)], next(number)
                status, connected = SCANNER_STATES[place % len(SCANNER_STATES)], 1 + place * 3.5
                yield {
                    "id": f"s-{row_id}", "organizationId": organization,
                    "serialNumber": f"EA{place % 9}-{48_271 + row_id * 913}",
                    "model": ("i500", "i700", "i900")[place % 3], "status": status, "mainGroupId": user["mainGroupId"],
                    "connectedUserId": user["id"], "connectedDate": self.ago(connected),
                    "approvedDate": self.ago(connected - 0.5) if status in ("APPROVED", "APPROVAL_CANCELLED") else None,
                    "lastScannedDate": None if place % 7 == 6 else self.ago(connected / 4),
                    "firstConnectedDate": self.ago(connected + 90), "version": 1,
                }  # fmt: skip

    def _notifications(self) -> Iterator[Row]:
        number = itertools.count(1)
        for position, (organization, *_, count) in enumerate(ORGANIZATIONS):
            scanners = [row for row in self.rows["scanners"] if row["organizationId"] == organization]
            for place in range(count):
                scanner = scanners[place % len(scanners)]
                yield {
                    "id": f"n-{next(number)}", "adminId": f"a-{position + 1}", "type": "SCANNER_PENDING",
                    "params": {"serialNumber": scanner["serialNumber"]},
                    "target": {"type": "SCANNER", "id": scanner["id"]},
                    "read": place > 6, "createdDate": self.ago(place * 0.8),
                }  # fmt: skip
