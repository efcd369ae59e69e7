"""`python -m lab.soak fuzz 50000` runs one of the long proofs, without arguments each of them; 1 when one is wrong.

A proof that breaks off is wrong, and stops no other.
"""

import argparse
import importlib
import sys
import traceback

from lab.soak.system import Report

PROOFS = {
    **{"fuzz": 50_000, "faults": 20_000, "stampede": 1_000, "kills": 60, "slow": 150, "logins": 120},
    **{"enumeration": 200, "forms": 20_000, "redirects": 5_000, "languages": 1_000, "translators": 50, "switches": 6},
    **{"hosts": 5, "upgrades": 2, "activity": 1_000},
}
"""The proofs, each a module next to this one, with the counts of `make soak`."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("proof", choices=PROOFS, nargs="?")
    parser.add_argument("count", type=int, nargs="?")
    given = parser.parse_args()
    is_wrong = False
    for proof in [given.proof] if given.proof else PROOFS:
        try:
            report = importlib.import_module(f"lab.soak.{proof}").run(given.count or PROOFS[proof])
        except Exception:
            report = Report(wrong=[traceback.format_exc()])
        sys.stdout.write(f"{proof}: {report}\n")
        sys.stdout.flush()
        is_wrong = is_wrong or bool(report.wrong)
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
