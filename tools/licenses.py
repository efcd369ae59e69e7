"""Check the licenses of all packages at run time, from the bills of materials, against the allowed ones."""

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "build" / "bom"
BILLS = ("python.cdx.json", "npm.cdx.json")
ALLOWED = {
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "PSF-2.0",
    "MPL-2.0",  # certifi: binds only those who change its files; we don't
    "LGPL-3.0-only",  # psycopg: a library of its own, unchanged and replaceable
    # Packages without an identifier, only with the class of their index.
    "License :: OSI Approved :: Apache Software License",
    "License :: OSI Approved :: BSD License",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)",
}
DEVELOPMENT = {"name": "cdx:npm:package:development", "value": "true"}

Component = dict[str, Any]


def components(bill: dict[str, Any]) -> list[Component]:
    """Return the packages of a bill, except those for development only."""
    return [component for component in bill["components"] if DEVELOPMENT not in component.get("properties", [])]


def licenses(component: Component) -> list[str]:
    return [
        entry.get("expression") or entry["license"].get("id") or entry["license"]["name"]
        for entry in component.get("licenses", [])
    ]


def faults(component: Component) -> list[str]:
    """Return why a package can't be used; of alternatives (OR), one is enough of which all (AND) are allowed."""
    name, names = f"{component['name']} {component['version']}", licenses(component)
    wrong = [each for each in names if not any(ALLOWED.issuperset(way.split(" AND ")) for way in each.split(" OR "))]
    if not names:
        return [f"{name} names no license."]
    return [f"{name} has the license {each}, which is not allowed." for each in wrong]


def main() -> int:
    """Print all packages, then the faults; return the exit status."""
    packages = [each for bill in BILLS for each in components(json.loads((FOLDER / bill).read_text("utf-8")))]
    lines = [f"{each['name']:<40}{each['version']:<14}{'; '.join(licenses(each))}" for each in packages]
    wrong = [fault for each in packages for fault in faults(each)]
    sys.stdout.write("\n".join([*lines, *(["", *wrong] if wrong else [])]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
