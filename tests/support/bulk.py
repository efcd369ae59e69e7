"""Bulk actions as tests go through them: rows at the service, and the steps of a browser without scripts."""

import json
import re
from collections.abc import Collection, Sequence
from html import unescape
from typing import Any

from tests.support import factories
from tests.support.fixtures import Upstream

USERS = "/user-manage/clinic/g-1/user"
ALL_USERS = "/user-manage/user"
CALL = "/v1/bizUsers"


def has_users(upstream: Upstream, count: int, *, status: str = "ACTIVE", **second: Any) -> None:
    """So many users of this status, page by page or by their IDs; the second one with these values."""
    has_rows(
        upstream,
        CALL,
        [factories.user(n, status=status, **(second if n == 2 else {})) for n in range(1, count + 1)],
    )


def has_rows(upstream: Upstream, path: str, rows: Sequence[dict[str, Any]]) -> None:
    """Answer a list's call with these rows, page by page or by their IDs."""
    positions = {row["id"]: position for position, row in enumerate(rows)}

    def answer(request: Any) -> tuple[int, dict[str, str], str]:
        ids = re.findall(r"ids=([\w-]+)", request.url)
        page = int((re.findall(r"[?&]page=(\d+)", request.url) or ["1"])[0])
        size = int((re.findall(r"[?&]size=(\d+)", request.url) or ["25"])[0])
        if ids:
            results = [rows[position] for position in sorted({positions[id] for id in ids if id in positions})]
        else:
            results = list(rows[(page - 1) * size : page * size])
        body = factories.listing(results, total=len(results) if ids else len(rows), size=size)
        return 200, {}, json.dumps(body)

    upstream.remove("GET", path)
    upstream.callback("GET", path, answer)


def answer_bulk_call(
    upstream: Upstream, path: str, refused: Collection[str] = (), *, code: int = 13002, reasons: Sequence[Any] = ()
) -> None:
    """Answer a bulk call: done except for these rows, which are refused for these reasons."""

    def answer(request: Any) -> tuple[int, dict[str, str], str]:
        ids = json.loads(request.body)["ids"]
        results = [
            {"id": id, "ok": id not in refused, **({"code": code, "reasons": list(reasons)} if id in refused else {})}
            for id in ids
        ]
        body = {"resultCount": len(ids), "okCount": len(ids) - len(refused), "results": results}
        return 200, {}, json.dumps(body)

    upstream.callback("POST", path, answer)


def get_list_query(client: Any, address: str) -> str:
    """Return the signed query in the bar below the list at this address."""
    return field(client.get(address).content.decode(), "query")


def next_step(html: str) -> dict[str, str]:
    """Return what the main button of a plan sends on, and that of a result: go on, or try again."""
    html = html.partition('class="bulk-result"')[2] or html  # the form that undoes it comes first
    sent = {name: field(html, name) for name in ("job", "form_id", "back")}
    return sent | ({"retry": "1"} if 'name="retry"' in html else {})


def field(html: str, name: str) -> str:
    """Return the value of a hidden field."""
    return unescape(re.findall(rf'name="{name}" value="([^"]*)"', html)[0])


def bodies(upstream: Upstream, path: str) -> list[Any]:
    """Return what was sent to a bulk call, in order."""
    return [json.loads(call.body) for call in upstream.calls("POST", path)]
