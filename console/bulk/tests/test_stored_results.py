"""The result of a bulk action has an address, which shows it again for an hour, to its administrator only."""

import re
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import DatabaseError
from django.test import Client

from console.forms.results import MAX_RESULTS
from console.models import Activity, StoredResult, Submission
from tests.support import factories
from tests.support.bulk import CALL, USERS, answer_bulk_call, bodies, field, has_users, next_step

pytestmark = [pytest.mark.sql, pytest.mark.req("RT-44")]

DELETE, LOCK, UNLOCK = (f"{USERS}/bulk/{action}" for action in ("delete", "lock", "unlock"))
LIST = f"{USERS}?keyword=user"
UNDO_FORM = f'<form method="post" action="{UNLOCK}">'
JSON = {"Accept": "application/json"}
RETRIED = "The failed items have already been retried. This page shows the result from before the retry."


@pytest.fixture
def administrator(administrator, upstream):
    has_users(upstream, 2, status="ACTIVE")
    answer_bulk_call(upstream, f"{CALL}/bulkDelete", ["u-2"], code=10008)
    answer_bulk_call(upstream, f"{CALL}/bulkLock", ["u-2"], code=10008)
    answer_bulk_call(upstream, f"{CALL}/bulkUnlock")
    return administrator


def run(client, path=DELETE, headers=None, count=2):
    """Perform an action on users, the second of whom is refused; return the response."""
    plan = client.post(path, {"id": [f"u-{n}" for n in range(1, count + 1)], "back": LIST}).content.decode()
    return client.post(path, next_step(plan), headers=headers or {})


def search(client, address, words):
    """Search in a result without scripts."""
    html = get_html(client, address)
    sent = {"job": next_step(html)["job"], "show": field(html, "show"), "find": words}
    return client.post(address.partition("?")[0], sent, follow=True).content.decode()


def undo(client, html):
    form = html.partition(UNDO_FORM)[2].partition("</form>")[0]
    return client.post(UNLOCK, next_step(form))


@pytest.fixture
def long_retry(administrator, upstream):
    """Return the address of a result with 204 failed rows, and a function that answers the calls of its retry.

    It gets the statuses of these calls and returns the page after them.
    """
    has_users(upstream, 204)
    call = f"{CALL}/bulkLock"

    def answer(refused, status=200):
        upstream.remove("POST", call)
        if status == 200:
            answer_bulk_call(upstream, call, refused, code=10008)
        else:
            upstream.answers("POST", call, {}, status=status)

    ids = [f"u-{n}" for n in range(1, 205)]
    answer(ids)
    response = run(administrator, LOCK, count=204)
    while response.status_code == 200:
        response = administrator.post(LOCK, next_step(response.content.decode()))
    address = response["Location"]

    def retry(*statuses, html=""):
        Submission.objects.all().delete()  # as after a minute
        html = html or get_html(administrator, address)
        for status in statuses:
            answer([], status)
            html = administrator.post(LOCK, next_step(html)).content.decode()
        return html

    return address, retry


@pytest.fixture
def result(administrator):
    """Return the address of a result."""
    return run(administrator)["Location"]


def get_html(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def redirects_to_list(client, address):
    response = client.get(address)
    return (response.status_code, response.get("Location")) == (302, USERS)


@pytest.mark.req("LS-08", "LS-13", "RT-40")
def test_a_result_is_shown_again_at_its_address_and_nothing_is_executed_or_recorded(administrator, upstream, result):
    assert re.fullmatch(rf"{DELETE}\?result=\d+", result)
    entries = Activity.objects.count()
    for _ in range(2):
        html = get_html(administrator, result)
        assert "1 user deleted." in html
        assert "1 user wasn&#39;t deleted." in html
        assert f'href="{LIST}"' in html
        assert 'name="retry"' in html
    assert len(bodies(upstream, f"{CALL}/bulkDelete")) == 1
    assert Activity.objects.count() == entries


@pytest.mark.req("LS-08", "LS-18")
def test_failed_rows_are_tried_again_once_from_a_result_that_was_shown_twice(administrator, upstream, result):
    steps = [next_step(get_html(administrator, result)) for _ in range(2)]
    addresses = {administrator.post(DELETE, step)["Location"] for step in steps}
    assert len(addresses) == 1
    assert bodies(upstream, f"{CALL}/bulkDelete") == [{"ids": ["u-1", "u-2"]}, {"ids": ["u-2"]}]
    assert "0 users deleted." in get_html(administrator, *addresses)
    assert Activity.objects.filter(is_bulk=True).count() == 2


@pytest.mark.req("LS-08", "LS-18")
def test_a_result_whose_failed_rows_were_retried_says_so_and_retries_nothing(administrator, upstream, result):
    step = next_step(get_html(administrator, result))
    assert RETRIED not in get_html(administrator, result)
    newer = administrator.post(DELETE, step)["Location"]
    Submission.objects.all().delete()  # as after a minute
    assert administrator.post(DELETE, step)["Location"] == result
    assert len(bodies(upstream, f"{CALL}/bulkDelete")) == 2
    html = get_html(administrator, result)
    assert RETRIED in html
    assert 'name="retry"' not in html
    html = get_html(administrator, newer)
    assert RETRIED not in html
    assert 'name="retry"' in html


@pytest.mark.req("LS-08", "LS-18")
def test_a_retry_that_was_not_carried_out_is_offered_again(administrator, upstream, result):
    step = next_step(get_html(administrator, result))
    upstream.answers("POST", f"{CALL}/bulkDelete", {}, status=503)
    assert administrator.post(DELETE, step).status_code == 502
    assert 'name="retry"' in get_html(administrator, result)


@pytest.mark.req("LS-08", "LS-18")
def test_a_retry_that_stopped_halfway_is_offered_until_it_has_ended_and_does_nothing_twice(
    administrator, upstream, long_retry
):
    address, retry = long_retry
    retry(200)
    html = get_html(administrator, address)
    assert RETRIED not in html
    assert 'name="retry"' in html
    retry(200, 200)
    assert RETRIED not in get_html(administrator, address)
    retry(200, 200, 200)
    html = get_html(administrator, address)
    assert RETRIED in html
    assert 'name="retry"' not in html
    calls = [(call.headers["Idempotency-Key"], call.body) for call in upstream.calls("POST", f"{CALL}/bulkLock")]
    assert calls[3] == calls[4] == calls[6]
    assert calls[5] == calls[7]
    assert len(set(calls)) == 6


@pytest.mark.req("LS-08", "LS-18")
def test_a_retry_whose_first_call_failed_ends_in_a_later_step(administrator, long_retry):
    address, retry = long_retry
    retry(503, 200)
    assert RETRIED not in get_html(administrator, address)
    retry(503, 200, 200)
    assert RETRIED in get_html(administrator, address)


@pytest.mark.req("LS-08", "LS-18")
def test_a_retry_whose_last_call_failed_ends_with_the_retry_of_that(administrator, long_retry):
    address, retry = long_retry
    html = retry(200, 200, 503)
    assert RETRIED not in get_html(administrator, address)
    retry(200, html=html)
    assert RETRIED in get_html(administrator, address)


@pytest.mark.req("LS-08", "LS-18")
@pytest.mark.parametrize("words", ["", "user 2"])
def test_a_search_in_a_retried_result_says_so(administrator, upstream, words):
    has_users(upstream, 26)
    address = run(administrator, LOCK, count=26)["Location"]
    html = search(administrator, address, words)
    assert RETRIED not in html
    assert 'name="retry"' in html
    administrator.post(LOCK, next_step(html))
    html = search(administrator, address, words)
    assert RETRIED in html
    assert 'name="retry"' not in html


@pytest.mark.req("DM-40", "LS-18")
@pytest.mark.parametrize("words", ["", "user 2"])
def test_a_search_in_a_result_offers_its_undo_only_until_that_is_done(administrator, upstream, words):
    has_users(upstream, 26)
    address = run(administrator, LOCK, count=26)["Location"]
    html = search(administrator, address, words)
    assert "25 users locked." in html
    assert field(html.partition(UNDO_FORM)[2], "job") == field(
        get_html(administrator, address).partition(UNDO_FORM)[2], "job"
    )
    undo(administrator, html)
    assert UNDO_FORM not in search(administrator, address, words)
    assert StoredResult.objects.count() == 1


@pytest.mark.req("DM-40", "LS-18")
@pytest.mark.parametrize("words", ["", "user 2"])
def test_a_search_in_a_result_that_is_no_longer_stored_offers_no_undo(administrator, upstream, words):
    has_users(upstream, 26)
    html = get_html(administrator, run(administrator, LOCK, count=26)["Location"])
    StoredResult.objects.all().delete()
    sent = {"job": next_step(html)["job"], "show": field(html, "show"), "find": words}
    html = administrator.post(LOCK, sent, follow=True).content.decode()
    assert "25 users locked." in html
    assert UNDO_FORM not in html
    assert not StoredResult.objects.exists()


@pytest.mark.req("LS-08")
def test_the_last_step_of_a_run_stores_its_result_with_a_search_in_its_form(administrator, upstream):
    has_users(upstream, 102)
    html = run(administrator, LOCK, count=102).content.decode()
    assert administrator.post(LOCK, next_step(html) | {"find": "user"}).status_code == 303


@pytest.mark.req("DM-40", "LS-18")
def test_a_result_that_was_shown_twice_is_undone_once(administrator, upstream):
    address = run(administrator, LOCK)["Location"]
    for html in [get_html(administrator, address) for _ in range(2)]:
        response = undo(administrator, html)
        assert (response.status_code, response["Location"]) == (303, LIST)
    assert bodies(upstream, f"{CALL}/bulkUnlock") == [{"ids": ["u-1"]}]


@pytest.mark.req("DM-40", "LS-18")
def test_a_result_that_was_undone_offers_no_undo_again(administrator, upstream):
    earlier, newer = run(administrator, LOCK)["Location"], run(administrator, LOCK)["Location"]
    undo(administrator, get_html(administrator, earlier))
    html = get_html(administrator, earlier)
    assert "1 user locked." in html
    assert UNDO_FORM not in html
    assert UNDO_FORM in get_html(administrator, newer)


@pytest.mark.req("DM-40", "LS-18")
def test_a_result_whose_undo_was_refused_offers_it_again(administrator, upstream):
    address = run(administrator, LOCK)["Location"]
    upstream.answers("POST", f"{CALL}/bulkUnlock", {}, status=503)
    undo(administrator, get_html(administrator, address))
    assert UNDO_FORM in get_html(administrator, address)


@pytest.mark.req("LS-06", "LS-08")
def test_a_run_by_script_ends_at_the_address_of_its_result(administrator, upstream):
    item = run(administrator, headers=JSON).json()["item"]
    response = administrator.post(DELETE, {"job": item["job"], "show": "1", "back": LIST})
    assert response.status_code == 303
    assert field(get_html(administrator, response["Location"]), "job") == item["job"]
    assert len(bodies(upstream, f"{CALL}/bulkDelete")) == 1


@pytest.mark.req("PM-20")
def test_another_administrator_and_another_action_do_not_get_a_result(administrator, upstream, result):
    assert redirects_to_list(administrator, result.replace("delete", "lock"))
    upstream.answers("POST", "/v2/oauth/requestToken", {**factories.token(), "adminId": "a-2"})
    other = Client()
    other.post("/login", {"email": "other@demo.example", "password": "Demo123!"})
    assert redirects_to_list(other, result)
    assert "1 user deleted." in get_html(administrator, result)


def test_after_an_hour_a_result_redirects_to_list(administrator, result, monkeypatch):
    later = time.time() + 3601
    monkeypatch.setattr("django.core.signing.time", SimpleNamespace(time=lambda: later))
    assert redirects_to_list(administrator, result)


@pytest.mark.parametrize("id", ["", "0", "x", "9" * 30])
def test_an_address_without_a_result_redirects_to_list(administrator, result, id):
    assert redirects_to_list(administrator, f"{DELETE}?result={id}")


def test_the_purge_deletes_results_after_an_hour(result):
    created = StoredResult.objects.get().created_at
    StoredResult.purge(created + timedelta(minutes=59))
    assert StoredResult.objects.exists()
    StoredResult.purge(created + timedelta(minutes=61))
    assert not StoredResult.objects.exists()


def test_another_result_replaces_the_oldest(administrator):
    addresses = [run(administrator)["Location"] for _ in range(MAX_RESULTS + 1)]
    assert redirects_to_list(administrator, addresses[0])
    assert all("1 user deleted." in get_html(administrator, address) for address in addresses[1:])


@pytest.mark.req("SEC-41")
def test_a_result_that_can_not_be_stored_is_shown_at_once(administrator, monkeypatch):
    def fail(*_args, **_options):
        raise DatabaseError

    monkeypatch.setattr(StoredResult.objects, "create", fail)
    response = run(administrator)
    assert response.status_code == 200
    assert "1 user wasn&#39;t deleted." in response.content.decode()
