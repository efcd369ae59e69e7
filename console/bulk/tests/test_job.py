"""The state between the steps of a bulk action is signed, and bound to its administrator, list and action."""

import time
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.core import signing
from django.http import QueryDict
from msgspec.structs import replace

from console.audit.content import Ref
from console.bulk.action import Candidate
from console.bulk.job import (
    LIFETIME,
    MAX_EXCLUDED,
    MAX_PLANNED,
    Job,
    JobRow,
    Matching,
    NotUsable,
    Selection,
    StaleJob,
    sent_ids,
)
from console.l10n.bidi import isolated_sentence
from console.lists.query import Choice, Filter, ListDefinition, ListQuery, SearchField
from console.web.request import bound

PATH = "/list/bulk/delete"
DEFINITION = ListDefinition(
    name="things",
    search_fields=(SearchField("all", "All"), SearchField("email", "Email")),
    filters=(
        Filter("status", "Status", (Choice("A", "A"), Choice("B", "B"))),
        Filter("team", "Team", (), is_open=True),
    ),
    sorts=("name", "email"),
    default_sort="name",
)
QUERY = "keyword=a%3Ab%26%3F&searchField=email&status=A&status=B&team=t-1&sort=email&order=desc"


def build_request(path: str = PATH, *, admin: str = "a-1") -> Any:
    return SimpleNamespace(path=path, admin=SimpleNamespace(identity=admin))


def job(*ids: str) -> Job:
    return Job.planned([(Candidate(id, f"Name {id}"), ()) for id in ids], selected=len(ids))


def test_a_signed_job_is_read_unchanged():
    sent = Job(
        [JobRow("1", "Ä", "ä@x.example", 0, "failed", "One.\nTwo."), JobRow("2", "B", "", 1)], 2, {"team": "-"}, True
    )
    assert Job.read(build_request(), sent.sign(build_request(), PATH)) == sent


@pytest.mark.req("PM-20")
@pytest.mark.parametrize(
    "request_", [build_request("/other/bulk/delete"), build_request("/list/bulk/move"), build_request(admin="a-2")]
)
def test_a_job_of_another_action_list_or_administrator_is_refused(request_):
    signed = job("1").sign(build_request(), PATH)
    with pytest.raises(NotUsable):
        Job.read(request_, signed)


@pytest.mark.parametrize("text", ["x", "a:b:c", "", "é:1:2", "eyJyb3dzIjpbXX0:1:2"])
def test_a_text_without_our_signature_is_refused(text):
    with pytest.raises(NotUsable):
        Job.read(build_request(), text)


def test_a_job_of_another_shape_is_refused():
    salt = bound(build_request(), "bulk job", PATH)
    assert Job.read(build_request(), signing.dumps({"rows": [], "selected": 0}, salt=salt)).rows == []
    with pytest.raises(NotUsable):
        Job.read(build_request(), signing.dumps({"left": []}, salt=salt))


def test_an_old_job_is_stale(monkeypatch):
    planned = job("1")
    signed = planned.sign(build_request(), PATH)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + LIFETIME - 5)
    assert Job.read(build_request(), signed) == planned
    monkeypatch.setattr(time, "time", lambda: now + LIFETIME + 5)
    with pytest.raises(StaleJob):
        Job.read(build_request(), signed)


@pytest.mark.req("LS-08")
def test_a_job_counts_every_row_once_with_any_outcome():
    planned = Job.planned(
        [(Candidate("1", "A"), ()), (Candidate("2", "B"), ["No.", "Never."]), (Candidate("3", "C"), ())], selected=3
    )
    assert [row.id for row in planned.waiting] == ["1", "3"]
    assert [(row.id, row.reasons) for row in planned.finished] == [("2", ["No.", "Never."])]
    after = planned.with_outcomes({"1": ("done", ""), "3": ("unknown", "Perhaps.")})
    assert [after.count(outcome) for outcome in ("waiting", "done", "blocked", "unknown")] == [0, 1, 1, 1]
    assert [row.id for row in after.finished] == ["2", "3", "1"]
    assert [(row.id, row.outcome) for row in after.retry().rows] == [("2", "blocked"), ("3", "waiting")]
    assert after.retry().confirmed


def test_one_call_has_at_most_a_hundred_rows():
    assert [row.id for row in job(*map(str, range(250))).next_rows] == [str(n) for n in range(100)]


def at_random(generator: Random, length: int, characters: tuple[int, int]) -> str:
    return "".join(chr(generator.randint(*characters)) for _ in range(length))


def some_id(generator: Random) -> str:
    return str(UUID(int=generator.getrandbits(128)))


@pytest.mark.slow
@pytest.mark.req("CO-17")
@pytest.mark.parametrize("characters", [(0x4E00, 0x9FFF), (0x20000, 0x2A6DF)])
@pytest.mark.parametrize("lengths", [(100, 100), (100, 0), (0, 100), (40, 20)])
def test_the_largest_job_leaves_space_for_the_other_fields_of_a_form(characters, lengths):
    generator = Random(1)
    clinics, teams = (
        [Ref(some_id(generator), at_random(generator, 100, characters)) for _ in range(n)] for n in (500, 1000)
    )
    candidates = [
        Candidate(
            some_id(generator),
            name=at_random(generator, lengths[0], characters),
            detail=at_random(generator, lengths[1], characters),
            clinic=generator.choice(clinics),
            previous=generator.choice(teams),
        )
        for _ in range(MAX_PLANNED)
    ]
    excluded = [some_id(generator) for _ in range(MAX_EXCLUDED + MAX_PLANNED)]
    for remaining, limit in ((None, 1_500_000), (Selection(query=QUERY, excluded=excluded), 1_950_000)):
        planned = Job.planned([(candidate, ()) for candidate in candidates], selected=MAX_PLANNED, remaining=remaining)
        assert len(urlencode({"job": planned.sign(build_request(), PATH)})) < limit


@pytest.mark.parametrize(
    ("rows", "lengths", "expected"),
    [
        (MAX_PLANNED, (100, 100), (25, 25)),
        (MAX_PLANNED, (20, 100), (20, 30)),
        (MAX_PLANNED, (100, 25), (25, 25)),
        (MAX_PLANNED, (100, 10), (40, 10)),
        (MAX_PLANNED, (100, 0), (50, 0)),
        (100, (200, 200), (100, 100)),
    ],
)
@pytest.mark.parametrize("plan_detail", ["", isolated_sentence("x" * 100)])
def test_names_and_details_share_the_space_of_a_row(rows, lengths, expected, plan_detail):
    name, detail = ("x" * length for length in lengths)
    row = planned_row(rows, Candidate("1", name, detail, plan_detail=plan_detail))
    assert (len(row.name), len(row.detail)) == expected
    assert row.plan_detail == ("" if rows == MAX_PLANNED else plan_detail)


@pytest.mark.parametrize(("length", "is_complete"), [(28, True), (29, False)])
def test_a_detail_of_the_plan_is_complete_or_left_out(length, is_complete):
    plan_detail = isolated_sentence("x" * length)
    row = planned_row(MAX_PLANNED, Candidate("1", "x" * 10, "x" * 10, plan_detail=plan_detail))
    assert (len(row.name), len(row.detail), row.plan_detail) == (10, 10, plan_detail if is_complete else "")


def planned_row(count: int, candidate: Candidate) -> JobRow:
    """Return the row of one of so many candidates like this one."""
    return Job.planned([(candidate, ())] * count, selected=count).rows[0]


@pytest.mark.req("DM-40")
def test_the_undo_of_a_run_has_the_same_key_each_time():
    done = replace(job("1").with_outcomes({"1": ("done", "")}), run="run-1")
    assert done.undone() == done.undone()
    assert done.undone().key != replace(done, run="run-2").undone().key


def query(text: str = QUERY) -> ListQuery:
    return ListQuery.read(DEFINITION, QueryDict(text))


@pytest.mark.req("LS-06")
@pytest.mark.parametrize("text", ["", QUERY])
def test_a_signed_query_is_read_without_its_page(text):
    signed = Matching(query(text + "&page=3&size=10"), 67).sign(build_request(), "/list")
    read = Matching.read(build_request("/list/bulk/delete"), "/list", DEFINITION, signed)
    assert (read.query, read.total) == (query(text), 67)


def test_a_query_can_be_read_by_the_browser():
    signed = Matching(query("keyword=a:b%23&status=A&page=2"), 67).sign(build_request(), "/list")
    assert signed.rpartition(":")[0] == "67?keyword=a%3Ab%23&status=A#"
    signed = Matching(query("order=desc&sort=email"), 67).sign(build_request(), "/list")
    assert signed.rpartition(":")[0] == "67?#sort=email&order=desc"


@pytest.mark.req("PM-20")
@pytest.mark.parametrize(
    ("request_", "path"),
    [(build_request(admin="a-2"), "/list"), (build_request(), "/other")],
)
def test_a_query_of_another_list_or_administrator_is_refused(request_, path):
    signed = Matching(query(), 67).sign(build_request(), "/list")
    with pytest.raises(NotUsable):
        Matching.read(request_, path, DEFINITION, signed)


@pytest.mark.parametrize(("before", "after"), [("67", "68"), ("status=A", "status=B"), ("keyword", "nothing")])
def test_a_query_that_was_changed_is_refused(before, after):
    signed = Matching(query(), 67).sign(build_request(), "/list")
    assert Matching.read(build_request(), "/list", DEFINITION, signed).total == 67
    with pytest.raises(NotUsable):
        Matching.read(build_request(), "/list", DEFINITION, signed.replace(before, after, 1))


def test_only_ids_are_read_each_once():
    assert sent_ids("u-1", "u-2 u-1", " u-3  <x> ", "../4") == ["u-1", "u-2", "u-3"]
