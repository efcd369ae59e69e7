"""The expected serial numbers of the administrator that tests log in, for tests of other packages too."""

from console.sessions.crypto import StoredSession
from console.sessions.identity import organization_identity
from console.sessions.models import Grant
from scanners.models import Expected, NewExpected
from scanners.storage.changes import ExpectedSerials
from upstream.nouns import plain_serial


def my_list() -> ExpectedSerials:
    grant = Grant.objects.get()
    return ExpectedSerials(organization_identity(StoredSession.decrypt(grant.payload)), grant.admin_id_hash)


def expect(*serial_numbers: str, clinic: str = "", note: str = "") -> list[Expected]:
    """Store these in the logged-in administrator's list; return them as they are read."""
    serials = my_list()
    serials.add([NewExpected(number, clinic, note) for number in serial_numbers])
    rows = serials.among(serial_numbers)
    return [rows[plain_serial(number)] for number in serial_numbers]


def scanner(serial_number: str, number: int = 1) -> dict[str, object]:
    """Return a scanner as the service sends it."""
    return {"id": f"s-{number}", "serialNumber": serial_number, "status": "PENDING", "mainGroupId": "g-1"}
