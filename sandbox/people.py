"""The users of the demo data: names, addresses and states; and additional ones for benchmarks."""

import itertools
import random
from collections.abc import Iterator, Sequence

from sandbox.clock import iso
from sandbox.names import DEMO_TEAM, LATIN, SCRIPTS
from sandbox.store import Row

DAY = 86_400
INVITATION_DAYS = 7
DEMO_CLINIC = "g-1"  # documentation and tests rely on the names and addresses of its users
STATUSES = {
    4: "INVITED",
    11: "INVITATION_EXPIRED",
    17: "LOCKED",
}  # of every twenty users, by index; the others are ACTIVE
LAST_LOGINS = (0.01, 0.08, 0.3, 1.2, 2.5, 4, 7.5, 12, 20, 33, 47, 65, 95, None, 140, 200, 290, 410)  # days ago
HOSTS = {"o-1": "demo", "o-2": "other", "o-3": "third"}


class People:
    """Creates the users of one clinic after another; `chance` is that of the demo data, so that names stay the same."""

    def __init__(self, now: float, chance: random.Random) -> None:
        self.now = now
        self.chance = chance
        self.numbers = itertools.count(1)
        self.addresses: set[str] = set()

    def for_clinic(self, clinic: Row, teams: Sequence[Row], size: int) -> Iterator[Row]:
        """Yield the users of a clinic, in order."""
        if clinic["id"] == DEMO_CLINIC:
            people = [
                (name, address, kind, team["id"]) for team in teams for name, address, kind in DEMO_TEAM[team["name"]]
            ]
        else:
            people = [self._person(clinic, teams, index) for index in range(size)]
        for index, (name, address, kind, team_id) in enumerate(people):
            local = address if clinic["id"] == DEMO_CLINIC else self._free_address(address)
            self.addresses.add(local)
            email = f"{local}@{HOSTS[clinic['organizationId']]}.example"
            row = user(f"u-{next(self.numbers)}", clinic, team_id, index, name, kind, email, self.now)
            yield {**row, "accountType": 2} if local == "group.admin" else row

    def _person(self, clinic: Row, teams: Sequence[Row], index: int) -> tuple[str, str, str, str | None]:
        country = clinic["countryCode"]
        given_names, families = SCRIPTS[country] if country in SCRIPTS and index % 5 else LATIN
        given, address = self.chance.choice(given_names)
        family, family_address = self.chance.choice(families)
        name = f"{family}{given}" if country == "KR" and index % 5 else f"{given} {family}"
        team = teams[index % len(teams)]["id"] if teams and index % 9 else None
        return name, f"{address}.{family_address}", "DOCTOR" if self.chance.random() < 0.45 else "STAFF", team

    def _free_address(self, address: str) -> str:
        for suffix in itertools.count(1):
            candidate = address if suffix == 1 else f"{address}{suffix}"
            if candidate not in self.addresses:
                return candidate
        raise AssertionError  # count() does not end


def more(ids: Sequence[str], clinic: Row, teams: Sequence[Row], now: float) -> Iterator[Row]:
    """Yield a user for each id, with a unique address; name, team and state depend on the id alone."""
    given_names, families = LATIN
    for index, row_id in enumerate(ids):
        given, address = given_names[index % len(given_names)]
        family, family_address = families[index // len(given_names) % len(families)]
        team = teams[index % len(teams)]["id"] if teams and index % 9 else None
        email = f"{address}.{family_address}.{row_id.rpartition('-')[2]}@seed.example"
        kind = "STAFF" if index % 3 else "DOCTOR"
        yield user(row_id, clinic, team, index, f"{given} {family}", kind, email, now)


def user(row_id: str, clinic: Row, team: str | None, index: int, name: str, kind: str, email: str, now: float) -> Row:
    """Return a user whose state and dates depend on the index, distributed as in a real clinic."""
    status = STATUSES.get(index % 20, "ACTIVE")
    invited = {"INVITED": 2.0, "INVITATION_EXPIRED": 30.0}.get(status, 400 - index % 160 * 2.5)
    last_login = LAST_LOGINS[index % len(LAST_LOGINS)] if status in ("ACTIVE", "LOCKED") else None
    return {
        "id": row_id, "organizationId": clinic["organizationId"], "mainGroupId": clinic["id"], "subGroupId": team,
        "name": name, "userType": kind, "email": email, "accountType": 3, "status": status,
        "lastLoginDate": None if last_login is None else iso(now - (last_login + index * 0.011) * DAY),
        "invitedDate": iso(now - invited * DAY), "invitationExpiresDate": iso(now - (invited - INVITATION_DAYS) * DAY),
        "createdDate": iso(now - invited * DAY), "version": 1 + index % 4,
    }  # fmt: skip
