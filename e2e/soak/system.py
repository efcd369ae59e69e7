"""What each of the long proofs needs: a sandbox and a console of their own, and a report."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from e2e.running import Console, Sandbox, start


@dataclass
class Report:
    """What was counted, and what was wrong, in words."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counted = ", ".join(f"{count:g} {name}" for name, count in self.counts.items())
        return "\n".join(
            [
                f"{counted}; wrong: {len(self.wrong)}",
                *(f"  {text}" for text in (*self.wrong[:10], *self.wrong[10:][-10:])),
            ]
        )


@contextmanager
def system(*, workers: int = 2, **variables: str) -> Iterator[Console]:
    """Run a sandbox and a console on data that is gone afterwards; `variables` are settings of the console."""
    with tempfile.TemporaryDirectory(prefix="soak") as folder, Sandbox(data_dir=Path(folder) / "sandbox") as sandbox:
        console, process = start(Path(folder) / "console", sandbox, workers=workers, **variables)
        try:
            yield console
        finally:
            process.stop()
