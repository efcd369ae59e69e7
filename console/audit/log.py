"""Log one line per action, for operators: IDs and names of fields, but no names of people or things and no values."""

import logging
from collections.abc import Sequence
from typing import Any

from console.audit.content import Content
from console.models import Activity
from console.web.request import ConsoleRequest

audit = logging.getLogger("audit")

REF_FIELDS = ("clinic", "other_clinic", "team", "other_team")
"""Objects that an entry refers to, in addition to its target."""
Rows = Sequence[tuple[Activity, Content]]


def write_line(request: ConsoleRequest, row: Activity, content: Content, outcome: str, rows: Rows = ()) -> None:
    """Write the line of an action; `rows` are those of a bulk action, each with its content."""
    data: dict[str, Any] = {
        "act": f"{row.kind}.{row.act}",
        "outcome": outcome,
        "administrator": content.who_id,
        "organization": request.admin.organization_id,
        **{name: ref.id for name in ("target", *REF_FIELDS) if (ref := getattr(content, name)).id},
    }
    if content.changes:
        data["fields"] = [change.field for change in content.changes]
    if rows:
        data["rows"] = {
            name: [about.target.id for bulk_row, about in rows if bulk_row.outcome == name and about.target.id]
            for name, count in content.counts.items()
            if count
        }
    audit.info("%s %s", data["act"], outcome, extra={"request_id": request.request_id, "audit": data})
