"""Every address that changes data is recorded as an action of the activity, or is exempt for a reason."""

import html
import json
import re
import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from console.models import Activity, Submission
from console.sessions.models import GRANT, Grant
from tests.support import factories
from tests.support.bulk import field, next_step
from tests.support.imports import upload
from tests.support.routes import IDS, PRIVATE

pytestmark = [pytest.mark.req("DM-20", "DM-45"), pytest.mark.sql]

EXEMPT = {
    **dict.fromkeys(
        (
            "notification-open",
            "notification-read",
            "notification-unread",
            "all-notification-read",
            "all-notification-unread",
        ),
        "only the administrator's own list of notifications changes",
    ),
    "expected-check-run": "it asks, and changes nothing",
    **dict.fromkeys(
        ("saved-view-create", "saved-view-edit", "saved-view-delete"), "a view is one administrator's own preference"
    ),
    **{
        route.name: reason
        for ending, reason in (
            ("-export", "a file of the selected rows changes nothing"),
            ("-import-step", "its answers are about the file; the import itself is recorded"),
        )
        for route in PRIVATE
        if route.name.endswith(ending) and "POST" in route.methods
    },
}
"""Private addresses that accept a POST, and why they record nothing."""

READ = "as the page has it"
USER, CLINIC = {"name": "User 9", "user_type": "STAFF"}, {"name": "Clinic 9", "country_code": "KR"}
PRESET = {f"allow_{name}": "on" for name in ("order", "export", "case_converting", "case_talk", "download")}
BULK = {"id": ["u-1"]}
SOON = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()

ACTIONS: dict[str, tuple[str, Any]] = {
    "organization-name-edit": ("organization.edit", {"name": "New name", "version": "1"}),
    "dashboard-url-edit": (
        "organization.dashboard",
        {"dashboard_url": "https://eu.example/x?token=t", "version": READ},
    ),
    "preferences-edit": ("administrator.preferences", {"language": "ko-KR", "version": "1"}),
    "email-edit": ("administrator.email", {"email": "new@demo.example", "current_password": "Demo123!"}),
    "email-change-resend": ("administrator.email_resend", {}),
    "email-change-cancel": ("administrator.email_cancel", {}),
    "password-edit": (
        "administrator.password",
        {"current_password": "Demo123!", "new_password": "Other456!", "confirm_password": "Other456!"},
    ),
    "session-end": ("administrator.session", {}),
    "other-sessions-end": ("administrator.sessions", {}),
    "service-session-end": ("administrator.session", {}),
    "other-service-sessions-end": ("administrator.sessions", {}),
    "clinic-create": ("clinic.create", CLINIC),
    "clinic-edit": ("clinic.edit", {**CLINIC, "version": "1"}),
    "clinic-delete": ("clinic.delete", {"typed_name": "Clinic 1", "version": "1"}),
    "clinic-permission-edit": ("clinic.permissions", {"allow_export": "off", "version": "2"}),
    "clinic-lab-edit": ("clinic.labs", {"lab": "l-1"}),
    "clinic-import": ("clinic.import", {"file": "Name,Country\nClinic 9,KR\n"}),
    "clinic-bulk-run": ("clinic.delete", {"id": ["g-1"], "typed": "Clinic 1"}),
    "all-permission-bulk-run": ("clinic.permissions", {"id": ["g-1"], "allow_export": "off"}),
    "preset-create": ("preset.create", {"name": "Front desk", **PRESET}),
    "preset-edit": ("preset.edit", {"name": "Front desk", **PRESET, "version": "1"}),
    "preset-delete": ("preset.delete", {"version": "1"}),
    "team-create": ("team.create", {"name": "Team 9", "team_type": "GENERAL"}),
    "team-edit": ("team.edit", {"name": "Team 9", "team_type": "GENERAL", "version": "1"}),
    "team-delete": ("team.delete", {"version": "1"}),
    "user-invite": (
        "user.invite",
        {"row": "0", **{f"row-0-{k}": v for k, v in USER.items()}, "row-0-email": "a@b.example"},
    ),
    "all-user-invite": (
        "user.invite",
        {"clinic_id": "g-1", "row": "0", **{f"row-0-{k}": v for k, v in USER.items()}, "row-0-email": "a@b.example"},
    ),
    "user-import": ("user.import", {"file": "Name,Type,Email\nUser 9,Staff,a@b.example\n"}),
    "all-user-import": ("user.import", {"file": "Name,Type,Email,Clinic\nUser 9,Staff,a@b.example,Clinic 1\n"}),
    "user-edit": ("user.edit", {**USER, "clinic_id": "g-1", "team_id": "t-1", "version": "1"}),
    "user-move": ("user.move", {"clinic_id": "g-1", "team_id": "", "version": "1"}),
    "user-delete": ("user.delete", {"version": "1"}),
    "user-lock": ("user.lock", {"version": "1"}),
    "user-unlock": ("user.unlock", {"version": "1"}),
    "user-permission-edit": ("user.permissions", {"allow_export": "off", "version": "2"}),
    "invitation-resend": ("user.resend", {}),
    "invitation-cancel": ("user.cancel", {}),
    "user-reminder-create": ("user.remind", {"about": "allow_export", "day": SOON}),
    "clinic-reminder-create": ("clinic.remind", {"about": "clinic", "day": SOON, "note": "A year"}),
    "reminder-edit": ("user.remind", {"day": SOON, "version": "1"}),
    "reminder-delete": ("user.remind", {"version": "1"}),
    "user-bulk-run": ("user.delete", BULK),
    "all-user-bulk-run": ("user.delete", BULK),
    "review-bulk-run": ("user.delete", BULK),
    "review-decide": ("user.delete", BULK),
    "review-sign": ("user.sign_off", {"note": "Autumn", "digest": READ}),
    "scanner-approve": ("scanner.approve", {}),
    "scanner-disapprove": ("scanner.disapprove", {}),
    "scanner-approval-cancel": ("scanner.cancel_approval", {"confirmed": "1"}),
    "scanner-bulk-run": ("scanner.approve", {"id": ["s-1"]}),
    "expected-serial-create": ("expected.import", {"pasted": "EA1-77"}),
    "expected-serial-edit": ("expected.edit", {"note": "For room 2", "version": "1"}),
    "expected-serial-delete": ("expected.delete", {"version": "1"}),
    "all-expected-serial-delete": ("expected.delete_all", {"typed": "1", "version": "1"}),
    "expected-serial-import": ("expected.import", {"file": "Serial number\nEA1-77\n"}),
    "expected-serial-bulk-run": ("expected.delete", {"id": ["1"]}),
    "lab-add": ("lab.add", {}),
    "lab-remove": ("lab.remove", {}),
    "lab-bulk-run": ("lab.add", {"id": ["l-1"]}),
    "my-lab-bulk-run": ("lab.remove", {"id": ["l-1"]}),
    "request-send": ("lab.send", {"message": "Hello"}),
    "request-bulk-run": ("lab.send", {"id": ["g-1"], "message": "Hello"}),
    "partnership-resend": ("lab.send", {"message": "Hello"}),
    "partnership-accept": ("lab.accept", {"confirmed": "1"}),
    "partnership-reject": ("lab.reject", {"confirmed": "1"}),
    "partnership-cancel": ("lab.cancel", {}),
    "partnership-end": ("lab.end", {"typed_name": "Smile Lab", "version": "3"}),
    "asking-bulk-run": ("lab.accept", {"id": ["p-1"]}),
    "sent-bulk-run": ("lab.cancel", {"id": ["p-1"]}),
}
"""The recorded action of each address that changes data, and the form that is sent there."""

WRITES = {route.name: route.path() for route in PRIVATE if "POST" in route.methods}


def test_each_address_that_changes_data_is_recorded_or_exempt():
    assert set(WRITES) == set(ACTIONS) | set(EXEMPT)
    assert not set(ACTIONS) & set(EXEMPT)


def answer(request):
    """Accept every change."""
    sent = json.loads(request.body) if request.body and request.body[:1] in (b"{", "{") else {}
    lists = [value for value in sent.values() if isinstance(value, list)]
    rows = [
        {"index": index, "id": row if isinstance(row, str) else f"x-{index}", "ok": True}
        for index, row in enumerate(lists[0] if lists else [])
    ]
    return 200, {}, json.dumps({"id": "x-9", "version": 9, "resultCount": len(rows), "results": rows})


@pytest.fixture
def administrator(admin_client, upstream, stored_rows, settings, saved_login):
    settings.ALLOWED_DASHBOARD_HOSTS = ["eu.example"]
    upstream.has_clinic()
    upstream.has_lab()
    stored_rows(IDS)
    other_browser = Client()
    saved_login.restore(other_browser)
    Grant.objects.filter(pk=other_browser.session[GRANT]).update(id=IDS["session_id"])
    Activity.objects.all().delete()  # entries of the fixtures
    for method in ("POST", "PUT", "DELETE"):
        upstream.callback(method, r"/v1/(?!accounts|maintenance).*", answer)
    return admin_client


@pytest.mark.parametrize("name", ACTIONS)
def test_each_change_is_recorded_as_its_own_action(administrator, upstream, name):
    path, sent = ACTIONS[name]
    prepare(upstream, name)
    response, _path, _form = send(administrator, WRITES[name], dict(sent))
    page_text = html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode()))
    entries = [(f"{entry.kind}.{entry.act}", entry.outcome) for entry in Activity.objects.filter(parent="")]
    assert entries == [(path, "done")], " ".join(page_text.split())[:1500]


@pytest.mark.parametrize("name", ACTIONS)
def test_a_repeated_form_that_changes_nothing_is_not_recorded_as_done_again(administrator, upstream, name):
    """A change without a call, or one refused before its call, is done once, and its outcome is known."""
    prepare(upstream, name)
    _response, path, form = send(administrator, WRITES[name], dict(ACTIONS[name][1]))
    for seconds in (85, 7200):
        passed = timedelta(seconds=seconds)
        Submission.objects.update(created_at=F("created_at") - passed)
        Activity.objects.update(at=F("at") - passed)
        upstream.clear_calls()
        before = Counter(Activity.objects.values_list("outcome", flat=True))
        response = administrator.post(path, form)
        if all(call.method == "GET" for call in upstream.calls()):
            added = Counter(Activity.objects.values_list("outcome", flat=True)) - before
            assert not {"done", "unknown"} & set(added), (added, response.status_code)


def prepare(upstream, name):
    """Set the state of the service that the action requires."""
    if name.startswith("invitation"):
        upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(status="INVITED"))
    if name == "user-unlock":
        upstream.answers("GET", "/v1/bizUsers/u-1", factories.user(status="LOCKED"))
    if name == "scanner-approval-cancel":
        upstream.answers("GET", "/v1/bizScanners/s-1", factories.scanner(status="APPROVED"))
    elif name.startswith("scanner"):
        upstream.answers("GET", "/v1/bizScanners/s-1", factories.scanner())
    if name == "clinic-lab-edit":
        labs = [{"labId": "l-1", "labName": "Lab 1", "status": "ACCEPTED", "allowed": False}]
        upstream.answers("GET", "/v1/bizMainGroups/g-1/permissions", {**factories.permissions(), "orderLabs": labs})
    if name in ("lab-remove", "my-lab-bulk-run"):
        listed = factories.lab(inPartnerList=True)
        upstream.answers("GET", "/v1/bizLabs/l-1", listed)
        upstream.answers("GET", "/v1/bizPartnerLists", factories.listing([{"lab": listed, "canRemove": True}]))
    if name in ("request-send", "request-bulk-run"):
        upstream.answers("GET", "/v1/bizPartnerships", factories.listing([]))
    if name in ("partnership-cancel", "sent-bulk-run"):
        sent = factories.partnership(requestedBy="ORGANIZATION")
        upstream.answers("GET", "/v1/bizPartnerships", factories.listing([sent]))
        upstream.answers("GET", "/v1/bizPartnerships/p-1", sent)
    if name == "partnership-end":
        upstream.answers("GET", "/v1/bizPartnerships/p-1", factories.partnership(status="ACCEPTED"))
    if "session" in name:
        upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1/sessions", {"results": []})


def send(client, path, sent):
    """Send a form, or the steps of an import or a bulk action; return the response, its path and the last form."""
    if "file" in sent:
        checked = upload(client, path, str(sent["file"]))
        lines = re.findall(r'name="lines" value="([^"]+)"', checked.content.decode())
        form = {"lines": html.unescape(lines[0])}
        return client.post(path, form), path, form
    if "/bulk/" in path:
        plan = client.post(path, {"id": sent.pop("id")})
        form = {**next_step(plan.content.decode()), **sent}
        return client.post(path, form), path, form
    form = {"form_id": str(uuid.uuid4()), **sent}
    if unread := [name for name, value in form.items() if value == READ]:
        page = client.get(path).content.decode()
        form.update({name: field(page, name) for name in unread})
    response = client.post(path, form)
    if checked := re.findall(r'name="checked" value="([^"]+)"', response.content.decode()):
        form |= {"checked": checked[0]}
        response = client.post(path, form)
    return response, path, form
