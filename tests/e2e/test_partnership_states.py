"""Six states of a partnership, five actions: what page and JSON offer, and what the service then does."""

import pytest
import requests

from tests.e2e.http_client import Visitor
from tests.e2e.running import Console

pytestmark = pytest.mark.slow
LAB = "l-1"
"""A lab of the partner list; the clinics below have nothing open with it."""
LIST, ONE = "/partner-manage/list", "/partner-manage/partnership"

STEPS = {
    # state: whether the lab begins, what is done then, the tab that shows it, and the version that it has
    "REQUEST_SENT": (False, (), "/sent", 1),
    "PENDING": (True, (), "", 1),
    "ACCEPTED": (True, ("accept",), "/partners", 2),
    "REJECTED": (True, ("reject",), "/history", 2),
    "CANCELLED": (False, ("cancel",), "/history", 2),
    "ENDED": (True, ("accept", "end"), "/history", 3),
}
ACTIONS = {
    # action: the clinic for which it is tried, the states that it fits, and what they become
    "send-again": ("g-5", ("REJECTED", "CANCELLED", "ENDED"), "REQUEST_SENT"),
    "cancel": ("g-9", ("REQUEST_SENT",), "CANCELLED"),
    "accept": ("g-13", ("PENDING",), "ACCEPTED"),
    "reject": ("g-17", ("PENDING",), "REJECTED"),
    "end": ("g-21", ("ACCEPTED",), "ENDED"),
}


class Stage:
    """An administrator, and partnerships that are brought into a state as people would."""

    def __init__(self, console: Console) -> None:
        self.sandbox, self.visitor = console.sandbox, Visitor(console, console.log_in())

    def bring_into(self, state: str, clinic: str) -> str:
        is_from_lab, steps, tab, _version = STEPS[state]
        if is_from_lab:
            self.sandbox.ask(LAB, clinic)
        else:
            self.visitor.post(f"/partner-manage/lab/{LAB}/request/{clinic}", {"message": "Hello"})
        id, _offered = self.newest("" if is_from_lab else "/sent", clinic)
        for version, step in enumerate(steps, start=1):
            assert self.post_action(id, step, version).status_code == 303
        assert self.newest(tab, clinic)[0] == id
        return id

    def post_action(self, id: str, action: str, version: int) -> requests.Response:
        """Post what the form of the question sends."""
        end = {"typed_name": "Borealis Dental Lab", "version": str(version)}
        return self.visitor.post(f"{ONE}/{id}/{action}", end if action == "end" else {"confirmed": "1"})

    def newest(self, tab: str, clinic: str) -> tuple[str, list[str]]:
        """Return the ID and the offered actions of the newest row of a clinic in a tab."""
        view = self.visitor.get(f"{LIST}{tab}?clinic={clinic}&size=100", json=True).json()["item"]["list"]
        row = max(view["rows"], key=lambda row: (len(row["id"]), row["id"]))
        return row["id"], [view["actions"][index]["path"] for index in row["actions"]]


@pytest.mark.req("ST-36", "ST-37", "ST-38", "ST-39", "ST-40", "ST-41", "UC-10", "UC-11", "UC-12", "ST-44")
@pytest.mark.parametrize("state", STEPS)
def test_only_what_the_state_allows_is_offered_and_carried_out(console: Console, state: str):
    stage, (_is_from_lab, _steps, tab, version) = Stage(console), STEPS[state]
    for action, (clinic, states, becomes) in ACTIONS.items():
        id, fits = stage.bring_into(state, clinic), state in states
        offered = stage.newest(tab, clinic)[1]
        buttons = stage.visitor.get(f"{ONE}/{id}").text
        assert (f"/{action}" in offered, f'href="{ONE}/{id}/{action}' in buttons) == (fits, fits), action
        # Tried in any case: the service refuses what the page does not offer.
        assert stage.post_action(id, action, version).status_code == (303 if fits else 409), action
        newest = stage.newest(STEPS[becomes][2] if fits else tab, clinic)[0]
        assert (newest == id) == (action != "send-again" or not fits), action
