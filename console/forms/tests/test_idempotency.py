"""Each form runs once: repeats get the first response, and refused forms may be sent again."""

import json
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.test import Client, RequestFactory
from django.utils import timezone

from console.errors import SubmissionInProgress
from console.forms import idempotency
from console.forms.idempotency import idempotent, new_form_id
from console.models import Submission
from tests.support import factories

pytestmark = pytest.mark.sql


def form(form_id, path="/user-manage/clinic/new"):
    request = RequestFactory().post(path, {"form_id": form_id})
    vars(request)["session"] = {}
    vars(request)["login"] = None
    return request


def submit(request, perform):
    """Send a form to a view that writes by `perform`."""

    @idempotent
    def view(request):
        if request.submission.error:
            raise request.submission.error
        request.submission.is_started = True
        return perform(request.submission.key)

    return view(request)


def record_calls(acted: list[str], answer: HttpResponse | None = None) -> Callable[[str], HttpResponse]:
    def perform(key: str) -> HttpResponse:
        acted.append(key)
        return answer or HttpResponse()

    return perform


@pytest.mark.django_db
@pytest.mark.req("LS-18")
def test_a_repeat_gets_the_first_response_and_writes_nothing():
    form_id = new_form_id()
    acted: list[str] = []

    def perform(key):
        acted.append(key)
        return HttpResponseRedirect("/user-manage/clinic", status=303)

    first, second = submit(form(form_id), perform), submit(form(form_id), perform)
    assert len(acted) == 1
    assert (second.status_code, second.headers["Location"]) == (first.status_code, first.headers["Location"])


@pytest.mark.django_db
@pytest.mark.req("SEC-61")
def test_a_repeat_whose_first_response_can_not_be_decrypted_writes_nothing(monkeypatch):
    form_id = new_form_id()
    acted: list[str] = []
    submit(form(form_id), record_calls(acted))
    Submission.objects.update(answer="encrypted with a key that is gone")
    monkeypatch.setattr(idempotency, "wait_timeout", lambda: 0.2)
    with pytest.raises(SubmissionInProgress):
        submit(form(form_id), record_calls(acted))
    assert len(acted) == 1


@pytest.mark.django_db
@pytest.mark.req("LS-18")
def test_a_repeat_gets_a_page_that_is_itself_the_result_again():
    form_id = new_form_id()
    submit(form(form_id), lambda key: HttpResponse("3 deleted, عيادة", status=200))
    repeated = submit(form(form_id), lambda key: HttpResponse("another"))
    assert repeated.content.decode() == "3 deleted, عيادة"
    assert repeated.headers["Content-Type"].startswith("text/html")
    assert "deleted" not in Submission.objects.get().answer, "kept encrypted"


@pytest.mark.django_db
@pytest.mark.req("LS-18")
def test_a_form_sent_without_a_script_and_then_by_one_gets_the_first_redirect():
    form_id = new_form_id()
    goto = lambda _key: HttpResponseRedirect("/user-manage/clinic", status=303)  # noqa: E731
    submit(form(form_id), goto)
    later = form(form_id)
    later.META["HTTP_ACCEPT"] = "application/json"
    assert json.loads(submit(later, goto).content)["goto"] == "/user-manage/clinic"


@pytest.mark.django_db
def test_a_refused_form_may_be_sent_again():
    form_id = new_form_id()
    acted: list[str] = []
    for status in (422, 303):
        submit(form(form_id), record_calls(acted, HttpResponse(status=status)))
    assert len(acted) == 2


@pytest.mark.django_db
def test_a_form_whose_view_raised_an_error_may_be_sent_again():
    form_id = new_form_id()

    def perform(key: str) -> HttpResponse:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        submit(form(form_id), perform)
    assert submit(form(form_id), lambda key: HttpResponse("done")).content == b"done"


@pytest.mark.django_db
def test_other_forms_other_paths_and_forms_without_id_are_separate():
    form_id = new_form_id()
    acted: list[str] = []
    for request in (form(form_id), form(form_id, "/other"), form(new_form_id()), form("x"), form("x")):
        submit(request, record_calls(acted))
    assert len(acted) == 5


@pytest.mark.django_db
def test_a_corrected_form_is_not_a_repeat():
    form_id = new_form_id()
    acted: list[str] = []
    for name in ("Ann", "Ann", "Anna"):
        request = form(form_id)
        request.POST = QueryDict(f"form_id={form_id}&name={name}")
        submit(request, record_calls(acted))
    assert len(acted) == 2


@pytest.mark.django_db
def test_after_a_minute_the_same_id_is_a_new_form():
    form_id = new_form_id()
    acted: list[str] = []
    for _ in range(2):
        submit(form(form_id), record_calls(acted))
        Submission.objects.update(created_at=timezone.now() - timedelta(seconds=61))
    assert len(acted) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("LS-18")
def test_of_two_concurrent_forms_one_writes_and_the_other_waits():
    form_id = new_form_id()
    acted: list[str] = []
    answers: list[bytes] = []
    started, hold = threading.Event(), threading.Event()

    def perform(key):
        acted.append(key)
        started.set()
        assert hold.wait(5)
        return HttpResponse("first")

    def send():
        answers.append(submit(form(form_id), perform).content)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert started.wait(5)
    hold.set()
    for thread in threads:
        thread.join(10)
    assert (len(acted), answers) == (1, [b"first", b"first"])


@pytest.mark.req("SEC-35")
def test_a_form_id_of_another_administrator_is_no_repeat_and_has_another_key(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("POST", "/v1/bizMainGroups", {"id": "g-2"})
    form_data = {"name": "Smile", "country_code": "FR", "form_id": new_form_id()}
    other = Client()
    upstream.answers("POST", "/v2/oauth/requestToken", {**factories.token(), "adminId": "a-2"})
    assert other.post("/login", {"email": "other@demo.example", "password": "Demo123!"}).status_code == 303
    for browser in (admin_client, other):
        assert browser.post("/user-manage/clinic/new", form_data).status_code == 303
    mine, other_key = (call.headers["Idempotency-Key"] for call in upstream.calls("POST", "/v1/bizMainGroups"))
    assert mine != other_key


@pytest.mark.req("SEC-35", "LS-18")
def test_a_repeat_after_logging_in_again_is_still_a_repeat(admin_client, log_in, upstream):
    upstream.has_clinic()
    upstream.answers("POST", "/v1/bizMainGroups", {"id": "g-2"})
    form_data = {"name": "Smile", "country_code": "FR", "form_id": new_form_id()}
    for _ in range(2):
        assert admin_client.post("/user-manage/clinic/new", form_data).status_code == 303
        admin_client.post("/logout")
        log_in()
    assert len(upstream.calls("POST", "/v1/bizMainGroups")) == 1


@pytest.mark.django_db
@pytest.mark.req("LS-18")
def test_a_post_that_only_reads_is_no_submission():
    form_id, submissions = new_form_id(), []

    @idempotent(writes=lambda request: "save" in request.POST)
    def view(request):
        submissions.append(hasattr(request, "submission"))
        return HttpResponse()

    for _ in range(2):
        view(form(form_id))
    assert submissions == [False, False]
    assert not Submission.objects.exists()


@pytest.mark.django_db
@pytest.mark.req("LS-18")
@pytest.mark.parametrize(("accept", "runs"), [("text/html", [False]), ("application/json", [False, True])])
def test_a_view_that_keeps_its_format_runs_again_only_for_a_repeat_in_the_other_one(accept, runs):
    form_id, submissions = new_form_id(), []

    @idempotent(keeps_format=True)
    def view(request):
        request.submission.is_started = True
        submissions.append(request.submission.is_repeat)
        return HttpResponse("page")

    view(form(form_id))
    repeated = form(form_id)
    repeated.META["HTTP_ACCEPT"] = accept
    assert view(repeated).content == b"page"
    assert submissions == runs
