"""Imports as a browser without scripts goes through them: a file, the questions about it, the review."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile


def upload(
    client: Any,
    url: str,
    content: str | bytes,
    *,
    name: str = "rows.csv",
    headers: Mapping[str, str] | None = None,
    answers_values: bool = True,
    **fields: str,
) -> Any:
    """Send a file to an import; return the page of the step that follows.

    With `answers_values` the rows with unknown values are left out, which leads to the review.
    """
    data = content if isinstance(content, bytes) else content.encode()
    file = SimpleUploadedFile(name, data)
    response = client.post(url, {"file": file, **fields}, headers=headers or {}, follow=True)
    return leave_out_unknown(client, response, headers=headers) if answers_values else response


def leave_out_unknown(client: Any, response: Any, *, headers: Mapping[str, str] | None = None) -> Any:
    """Answer the question about values, if it is asked: their rows are not imported."""
    step = step_url(response)
    return client.post(step, {}, headers=headers or {}, follow=True) if step.endswith("/values") else response


def answer(client: Any, response: Any, **fields: Any) -> Any:
    """Answer the question of a page; the other fields stay as the page has them."""
    html = response.content.decode()
    selects = re.findall(r'<select[^>]* name="([\w-]+)"(.*?)</select>', html, re.DOTALL)
    preselected = {
        name: unescape("".join(re.findall(r'<option value="([^"]*)" selected', options)))
        for name, options in selects
        if name != "sheet"
    }
    response = client.post(step_url(response), {**preselected, **fields}, follow=True)
    return leave_out_unknown(client, response)


def step_url(response: Any) -> str:
    """Return the address of a page."""
    return str(response.request["PATH_INFO"])
