"""What several views of labs and partnerships read."""

from console.upstream.client import Upstream
from console.upstream.errors import Code, Conflict, NotDone, NotFound
from console.upstream.listing import ListParams
from console.upstream.resources.labs import Lab
from console.upstream.resources.partnerships import Partnership

# labs


def read_lab(upstream: Upstream, lab_id: str) -> Lab | None:
    """Read a lab; None for one that left the service."""
    try:
        return upstream.labs.get(lab_id)
    except Conflict as error:
        if error.code != Code.LAB_GONE:
            raise
        return None


def partnerships_with(upstream: Upstream, lab_id: str) -> list[Partnership] | None:
    """Read the newest of what was asked and agreed with a lab; None where that can't be read."""
    params = ListParams(size=100, sort="requested_date", order="desc", filters={"lab": (lab_id,)})
    try:
        return [row for row in upstream.partnerships.list(params).results if row.lab_id in ("", lab_id)]
    except (NotDone, NotFound):
        return None
