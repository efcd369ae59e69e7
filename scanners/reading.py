"""What several views of scanners read: a scanner with the name of its clinic."""

from dataclasses import dataclass

from console.http import ConsoleRequest
from console.upstream.resources.scanners import Scanner


@dataclass(frozen=True)
class Subject:
    """A scanner, and the name of the clinic that it was connected in."""

    scanner: Scanner
    clinic_name: str


def find_scanner(request: ConsoleRequest, scanner_id: str) -> Subject:
    """Read a scanner of the organization; NotFound when it is none of them."""
    scanner = request.upstream.scanners.get(scanner_id)
    names = request.upstream.clinics.known_names_of([scanner])
    return Subject(scanner, scanner.clinic_name or names.get(scanner.clinic_id, ""))
