"""The activity and the service's log agree after any sequence of forms that are sent, repeated, undone or lost."""

import json
import re
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest import mock
from urllib.parse import parse_qs

import pytest
from django.apps import apps
from django.db.models import F, Model, Q
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console.audit.content import Content
from console.models import Activity, Submission
from console.sessions.models import GRANT, Grant
from console.web.request import transport
from tests.support import factories
from tests.support.bulk import field as get_value
from tests.support.bulk import next_step
from tests.support.cases import rolled_back
from tests.support.imports import upload
from tests.support.page import Page
from tests.support.saved_login import SavedLogin

pytestmark = [pytest.mark.sql, pytest.mark.req("SEC-112", "DM-45")]

PermissionPreset, StoredReminder = apps.get_model("groups.PermissionPreset"), apps.get_model("groups.StoredReminder")
ExpectedSerial = apps.get_model("scanners.ExpectedSerial")
CLINIC, USERS, REVIEW = "/user-manage/clinic/g-1", "/user-manage/user", "/user-manage/review"
PEOPLE, TEAMS = "/v1/bizUsers", "/v1/bizSubGroups"
PARTNERSHIPS, PARTNER_LIST = "/v1/bizPartnerships", "/v1/bizPartnerLists"
CLINICS, SCANNERS = "/v1/bizMainGroups", "/v1/bizScanners"
ORGANIZATION, ADMINISTRATOR = "/v1/bizOrganizations/o-1", "/v1/bizOrganizationAdmins/a-1"
LAB, EXPECTED = "/partner-manage/lab/l-1", "/scanner-manage/expected"
PRESETS = "/user-manage/permissions/presets"
KEY_TTL = 24 * 3600
LONG_AGO = "2024-01-01T00:00:00Z"
OPTIONS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "permissions": ({"allow_export": "on"}, {"allow_export": "off"}),
    "team-edit": ({"name": "Front"}, {"name": "Back"}),
    "bulk-permissions": ({"allow_export": "on"}, {"allow_export": "off"}),
    "bulk-type": ({"user_type": "STAFF"}, {"user_type": "DOCTOR"}),
    "keep": ({"reason": "No reason"}, {"reason": "Approved"}),
    "sign-off": ({"note": "Autumn"}, {"note": "Winter"}),
    "move": ({"team_id": "t-1"}, {"team_id": ""}),
    "reminder": ({"note": "Autumn"}, {"note": "Winter"}),
    "clinic-permissions": ({"allow_export": "on"}, {"allow_export": "off"}),
    "clinic-labs": ({"lab": "l-1"}, {}),
    "preferences": ({"language": "ko-KR"}, {"language": "de-DE"}),
    "organization-name": ({"name": "East"}, {"name": "West"}),
}
"""The choices in each form."""
KINDS = (
    *("lock", "unlock", "team-create", "invite", "resend", "bulk-lock", "bulk-unlock"),
    *("user-delete", "preset-create", "preset-delete", "reminder-delete", "serial-delete", "session-end"),
    *("lab-add", "lab-remove", "request", "request-cancel", "serials", "user-import", "serial-import"),
    *("preset-edit", "reminder-edit", "serial-edit"),
    *("clinic-delete", "team-delete", "approve", "disapprove", "cancel-approval", *OPTIONS),
)
STORED_ROWS: tuple[tuple[type[Model], tuple[str, ...]], ...] = (
    (PermissionPreset, ("preset.create", "preset.edit", "preset.delete")),
    (StoredReminder, ("user.remind",) * 3),
    (ExpectedSerial, ("expected.create", "expected.edit", "expected.delete")),
    (Grant, ("", "", "administrator.session")),
)
"""Rows that the console stores, and the actions that create, change and delete them."""
DECISIONS = {
    "approve": ("scanner.approve", "APPROVED", ("PENDING", "DISAPPROVED", "APPROVAL_CANCELLED")),
    "disapprove": ("scanner.disapprove", "DISAPPROVED", ("PENDING",)),
    "cancelApproval": ("scanner.cancel_approval", "APPROVAL_CANCELLED", ("APPROVED",)),
}
"""The action and the new state of each call on a scanner, and the states that allow it."""
SETTINGS = ("allow_order", "allow_export", "allow_case_converting", "allow_case_talk", "allow_download")
SOON = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()
STORED_PATHS: dict[str, tuple[type[Model], str, dict[str, str]]] = {
    "preset": (PermissionPreset, PRESETS, {"name": "Preset", **dict.fromkeys(SETTINGS, "on")}),
    "reminder": (StoredReminder, "/user-manage/reminder", {"day": SOON}),
    "serial": (ExpectedSerial, EXPECTED, {}),
}
"""Rows that the console stores, with their address and the form data of a change."""


class Service:
    """A service that executes calls, stores Idempotency-Keys for a day, and logs each execution."""

    def __init__(self, *, has_bulk_calls: bool) -> None:
        self.has_bulk_calls = has_bulk_calls
        self.log: list[tuple[str, ...]] = []
        self.now = 0.0
        self.fault = ""
        self.users = {f"u-{n}": factories.user(n, lastLoginDate=LONG_AGO) for n in (1, 2)}
        self.users["u-3"] = factories.user(3, status="INVITED", lastLoginDate=None)
        self.emails = {user["email"] for user in self.users.values()}
        self.permissions = {id: factories.permissions(owner="USER", source="MAIN_GROUP") for id in self.users}
        self.order_lab = {"labId": "l-1", "labName": "Lab 1", "status": "ACCEPTED", "allowed": False}
        self.permissions["g-1"] = factories.permissions() | {"orderLabs": [self.order_lab]}
        self.scanners = {f"s-{n}": factories.scanner(n) for n in (1, 2)}
        self.things: dict[str, dict[str, Any]] = {
            "o-1": factories.organization(version=1),
            "a-1": factories.ADMIN | {"language": "en-US", "version": 1},
        }
        self.team = factories.team()
        self.listed = False
        self.request_status = ""
        self._answers: dict[str, tuple[float, dict[str, Any]]] = {}

    def answer(self, request: Any) -> tuple[int, dict[str, str], str]:
        """Respond to a write with the stored response of its key, or by executing it."""
        fault, self.fault = self.fault, ""
        if fault == "failed":
            return 503, {}, json.dumps(factories.refusal(10000))
        key = request.headers.get("Idempotency-Key", "")
        at, body = self._answers.get(key, (0.0, {}))
        status = 200
        if not (key and body and at > self.now - KEY_TTL):
            path = request.url.split("/v1/")[1].split("?")[0].split("/")
            status, body = self._perform(request, path, json.loads(request.body or "{}"))
            if key and status == 200:
                self._answers[key] = (self.now, body)
        return (524, {}, "{}") if fault == "lost" and status == 200 else (status, {}, json.dumps(body))

    def _perform(self, request: Any, path: list[str], body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        method, version = request.method, request.headers.get("If-Match")
        match path:
            case ["bizSubGroups"]:
                self.log.append(("team.create", body["name"]))
                return 200, {"id": f"t-{len(self.log) + 10}"}
            case [("bizSubGroups" | "bizMainGroups") as kind, id] if method == "DELETE":
                if self.things.pop(id, None) is None:
                    return 404, factories.refusal(10004)
                self.log.append(("team.delete" if kind == "bizSubGroups" else "clinic.delete", id))
                return 200, {}
            case [("bizOrganizations" | "bizOrganizationAdmins") as kind, id]:
                if version != f'"{self.things[id]["version"]}"':
                    return 412, factories.refusal(10005)
                self.things[id] |= body | {"version": self.things[id]["version"] + 1}
                if kind == "bizOrganizations":
                    self.log.append(("organization.edit", id, body["name"]))
                else:
                    self.log.append(("administrator.preferences", id, body["language"]))
                return 200, {"version": self.things[id]["version"]}
            case ["bizScanners", id, decision]:
                action, status, allowed = DECISIONS[decision]
                if self.scanners[id]["status"] not in allowed:
                    return 409, factories.refusal(14001)
                self.scanners[id]["status"] = status
                self.log.append((action, id, status))
                return 200, {}
            case ["bizSubGroups", id]:
                if version != f'"{self.team["version"]}"':
                    return 412, factories.refusal(10005)
                self.team |= {"name": body["name"], "version": self.team["version"] + 1}
                self.log.append(("team.edit", id, body["name"]))
                return 200, {"version": self.team["version"]}
            case ["bizUsers"]:
                row = self._invite(body)
                return (200, row) if row["ok"] else (409, factories.refusal(13008))
            case ["bizUsers", "bulkCreate"] if self.has_bulk_calls:
                rows = [self._invite(item, dry_run=body["dryRun"]) for item in body["items"]]
                return 200, {"results": [row | {"index": index} for index, row in enumerate(rows)]}
            case ["bizUsers", "bulkCreate"]:
                return 404, {}
            case ["bizUsers", ("bulkLock" | "bulkUnlock" | "bulkPermissions" | "bulkUpdate") as call]:
                if not self.has_bulk_calls:
                    return 404, {}
                return 200, {"results": [self._row(call, id, body) for id in body["ids"]]}
            case ["bizUsers", id, ("lock" | "unlock") as state]:
                return (200, {}) if self._lock(id, state) else (409, factories.refusal(13011))
            case [("bizUsers" | "bizMainGroups"), id, "permissions"]:
                if version not in (None, f'"{self.permissions[id]["version"]}"'):
                    return 412, factories.refusal(10005)
                self._allow(id, body)
                return 200, {"version": self.permissions[id]["version"]}
            case ["bizUsers", id, "invitation", "resend"]:
                self.log.append(("user.resend", id))
                return 200, {"invitationExpiresDate": "2026-12-28T08:30:00Z"}
            case ["bizUsers", id] if method == "DELETE":
                if self.users.pop(id, None) is None:
                    return 404, factories.refusal(10004)
                self.log.append(("user.delete", id))
                return 200, {}
            case ["bizUsers", id] if "subGroupId" in body:
                if version != f'"{self.users[id].get("version", 1)}"':
                    return 412, factories.refusal(10005)
                version = self.users[id].get("version", 1) + 1
                if self.users[id].get("subGroupId") != body["subGroupId"]:  # else it is no change
                    self.log.append(("user.move", id))
                self.users[id] |= {"subGroupId": body["subGroupId"], "version": version}
                return 200, {"version": version}
            case ["bizUsers", id]:
                if version not in (None, f'"{self.users[id]["version"]}"'):
                    return 412, factories.refusal(10005)
                self._type(id, body["userType"])
                return 200, {"version": self.users[id]["version"]}
            case ["bizPartnerLists"] | ["bizPartnerLists", _]:
                if self.listed == (method == "POST"):
                    return 409, factories.refusal(16001 if self.listed else 16002)
                self.listed = method == "POST"
                self.log.append(("lab.add" if self.listed else "lab.remove", "l-1"))
                return 200, {}
            case ["bizPartnerships"]:
                if self.request_status == "PENDING":
                    return 409, factories.refusal(16004)
                self.request_status = "PENDING"
                self.log.append(("lab.send", "l-1"))
                return 200, {"id": "p-1"}
            case ["bizPartnerships", "p-1", "cancel"]:
                if self.request_status != "PENDING":
                    return 409, factories.refusal(16005)
                self.request_status = "CANCELED"
                self.log.append(("lab.cancel", "l-1"))
                return 200, {"version": 4}
        raise AssertionError(path)

    def _row(self, call: str, id: str, body: dict[str, Any]) -> dict[str, Any]:
        match call:
            case "bulkPermissions":
                self._allow(id, body)
            case "bulkUpdate":
                self._type(id, body["set"]["userType"])
            case _:
                if not self._lock(id, "lock" if call == "bulkLock" else "unlock"):
                    return {"id": id, "ok": False, "code": 13011}
        return {"id": id, "ok": True}

    def _invite(self, item: dict[str, Any], *, dry_run: bool = False) -> dict[str, Any]:
        if item["email"] in self.emails:
            return {"ok": False, "code": 13008, "field": "email"}
        if not dry_run:
            self.emails.add(item["email"])
            self.log.append(("user.invite", item["name"]))
        return {"ok": True, "id": f"u-{len(self.log) + 10}"}

    def _lock(self, id: str, state: str) -> bool:
        status = {"lock": "LOCKED", "unlock": "ACTIVE"}[state]
        if self.users[id]["status"] == status:
            return False
        self.users[id]["status"] = status
        self.log.append((f"user.{state}", id))
        return True

    def _allow(self, id: str, body: dict[str, Any]) -> None:
        now, kind = self.permissions[id], "clinic" if id == "g-1" else "user"
        now["version"] += 1
        for name, value in body["permissions"].items():
            now["permissions"][name] = {"value": value, "source": "OWN"}
            self.log.append((f"{kind}.permissions", id, "on" if value else "off"))
        for lab in body.get("orderLabs", []):
            self.order_lab["allowed"] = lab["allowed"]
            self.log.append(("clinic.labs", id, str(["Lab 1"] if lab["allowed"] else [])))

    def _type(self, id: str, user_type: str) -> None:
        self.users[id] |= {"userType": user_type, "version": self.users[id]["version"] + 1}
        self.log.append(("user.edit", id, user_type))

    def list_users(self, request: Any) -> tuple[int, dict[str, str], str]:
        query = request.url.partition("?")[2]
        ids, statuses = re.findall(r"ids=([\w-]+)", query), re.findall(r"status=(\w+)", query)
        never, overridden = "neverLoggedIn" in query, "ownPermission" in query
        users = [
            user
            for user in self.users.values()
            if (not ids or user["id"] in ids)
            and (not statuses or user["status"] in statuses)
            and not (never or overridden)
        ]
        return 200, {}, json.dumps(factories.listing(users))

    def find_email(self, request: Any) -> tuple[int, dict[str, str], str]:
        email = parse_qs(request.url.partition("?")[2])["email"][0]
        return 200, {}, json.dumps({"resultCount": int(email in self.emails)})

    def list_scanners(self, request: Any) -> tuple[int, dict[str, str], str]:
        ids = re.findall(r"ids=([\w-]+)", request.url)
        scanners = [scanner for scanner in self.scanners.values() if not ids or scanner["id"] in ids]
        return 200, {}, json.dumps(factories.listing(scanners))

    def list_requests(self, _request: Any) -> tuple[int, dict[str, str], str]:
        return 200, {}, json.dumps(factories.listing([self._request()] if self.request_status == "PENDING" else []))

    def list_labs(self, _request: Any) -> tuple[int, dict[str, str], str]:
        lab = factories.lab(inPartnerList=self.listed)
        return 200, {}, json.dumps(factories.listing([{"lab": lab, "canRemove": True}] if self.listed else []))

    def _request(self) -> dict[str, Any]:
        return factories.partnership(requestedBy="ORGANIZATION", status=self.request_status or "CANCELED")

    def one(self, request: Any) -> tuple[int, dict[str, str], str]:
        kind, id, *part = request.url.split("/v1/")[1].split("?")[0].split("/")
        if kind == "bizLabs":
            return 200, {}, json.dumps(factories.lab(inPartnerList=self.listed))
        if kind == "bizPartnerships":
            return 200, {}, json.dumps(self._request())
        if id in self.things:
            return 200, {}, json.dumps(self.things[id])
        if id not in ("t-1", "g-1", *self.users):
            return 404, {}, json.dumps(factories.refusal(10004))
        if kind == "bizSubGroups":
            return 200, {}, json.dumps(self.team)
        return 200, {}, json.dumps(self.permissions[id] if part else self.users[id])


@dataclass
class Sent:
    """A form of a page that stays open: it can be sent repeatedly, with other choices."""

    kind: str
    path: str
    values: dict[str, Any]
    user_count: int = -1
    """The number of users on the page of a sign-off."""

    def with_option(self, number: int) -> dict[str, Any]:
        return self.values | (OPTIONS[self.kind][number] if self.kind in OPTIONS else {})


@dataclass
class Story:
    """A sequence of steps in one console, in two sessions."""

    service: Service
    sessions: list[Client]
    login: SavedLogin
    forms: list[Sent] = field(default_factory=list)
    seconds: float = 0.0
    reviewed: set[tuple[str, str]] = field(default_factory=set)
    """The plans and reasons for which users were kept, whose repetitions still get the first response."""

    def open(self, session: int, kind: str, number: int) -> None:
        client, id = self.sessions[session], f"u-{1 + number}"
        form: dict[str, Any] = {"form_id": str(uuid.uuid4())}
        match kind:
            case "lock" | "unlock":
                self.forms.append(Sent(kind, f"{CLINIC}/user/{id}/{kind}", form))
            case "permissions" | "clinic-permissions":
                path = f"{CLINIC}/user/{id}/permissions" if kind == "permissions" else f"{CLINIC}/permissions"
                html = client.get(path).content.decode()
                self.forms.append(Sent(kind, path, form | {n: get_value(html, n) for n in ("version", "proof")}))
            case "clinic-labs":
                was = "l-1" if self.service.order_lab["allowed"] else ""
                self.forms.append(Sent(kind, f"{CLINIC}/permissions/labs", form | {"was": was}))
            case "clinic-delete":
                id = f"g-9{len(self.service.things)}"
                self.service.things[id] = factories.clinic(9) | {"id": id}
                form |= {"typed_name": "Clinic 9", "version": "1"}
                self.forms.append(Sent(kind, f"/user-manage/clinic/{id}/delete", form))
            case "team-delete":
                id = f"t-9{len(self.service.things)}"
                self.service.things[id] = factories.team(9) | {"id": id}
                form |= {"move_users_to": "t-1", "version": "1"}
                self.forms.append(Sent(kind, f"{CLINIC}/team/{id}/delete", form))
            case "approve" | "disapprove" | "cancel-approval":
                form |= {"confirmed": "1"}
                self.forms.append(Sent(kind, f"/scanner-manage/s-{1 + number}/{kind}", form))
            case "preferences":
                form |= {"version": str(self.service.things["a-1"]["version"])}
                self.forms.append(Sent(kind, "/my-account/preferences", form))
            case "organization-name":
                form |= {"version": str(self.service.things["o-1"]["version"])}
                self.forms.append(Sent(kind, "/my-account/organization-name", form))
            case "user-import":
                name = uuid.uuid4().hex
                other = "Staff" if self.service.users["u-1"]["userType"] == "DOCTOR" else "Doctor"
                rows = [f"{name},Staff,{name}@x.example", f"User 1,{other},user1@clinic.example"]
                self._upload(client, f"{CLINIC}/user/import", ["Name,Type,Email", *rows[: 1 + number]])
            case "serial-import":
                rows = [f"EA1-1,Note {number}", "EA1-2,"]
                self._upload(client, f"{EXPECTED}/import", ["Serial number,Note", *rows[: 1 + number]])
            case "team-create":
                form |= {"name": f"Team {uuid.uuid4().hex}", "team_type": "GENERAL"}
                self.forms.append(Sent(kind, f"{CLINIC}/team/new", form))
            case "team-edit":
                form |= {"team_type": "GENERAL", "version": str(self.service.team["version"])}
                self.forms.append(Sent(kind, f"{CLINIC}/team/t-1/edit", form))
            case "invite":
                name = uuid.uuid4().hex
                form |= {"row": "0", "row-0-name": name, "row-0-email": f"{name}@x.example", "row-0-user_type": "STAFF"}
                self.forms.append(Sent(kind, f"{CLINIC}/user/new", form))
            case "resend":
                self.forms.append(Sent(kind, f"{CLINIC}/user/u-3/invitation/resend", form))
            case "user-delete":
                id = f"u-9{len(self.service.users)}"
                self.service.users[id] = factories.user(lastLoginDate=LONG_AGO) | {"id": id}
                self.forms.append(Sent(kind, f"{CLINIC}/user/{id}/delete", form | {"version": "1"}))
            case "move":
                version = str(self.service.users[id].get("version", 1))
                form |= {"clinic_id": "g-1", "teams_of": "g-1", "version": version}
                self.forms.append(Sent(kind, f"{CLINIC}/user/{id}/move", form))
            case "preset-create":
                form |= {"name": f"Preset {number}", **dict.fromkeys(SETTINGS, "on")}
                self.forms.append(Sent(kind, f"{PRESETS}/new", form))
            case "reminder":
                form |= {"about": "allow_export", "day": SOON}
                self.forms.append(Sent(kind, f"{CLINIC}/user/{id}/reminder/new", form))
            case "serials":
                form |= {"pasted": ("EA1-1", "EA1-1\nEA1-2")[number]}
                html = client.post(f"{EXPECTED}/new", form).content.decode()
                if 'name="checked"' in html:
                    self.forms.append(Sent("", f"{EXPECTED}/new", form | {"checked": get_value(html, "checked")}))
            case (
                "preset-delete" | "reminder-delete" | "serial-delete" | "preset-edit" | "reminder-edit" | "serial-edit"
            ):
                thing, _, action = kind.partition("-")
                model, path, values = STORED_PATHS[thing]
                for row in model._default_manager.order_by("-pk").values("pk", "version")[:1]:
                    form |= values | {"version": str(row["version"]), "note": form["form_id"]}
                    self.forms.append(Sent(kind, f"{path}/{row['pk']}/{action}", form))
            case "session-end":
                browser = Client()
                self.login.restore(browser)
                self.forms.append(Sent(kind, f"/my-account/sessions/{browser.session[GRANT]}/end", form))
            case "lab-add" | "lab-remove":
                self.forms.append(Sent(kind, f"{LAB}/{kind.removeprefix('lab-')}", form))
            case "request":
                self.forms.append(Sent(kind, f"{LAB}/request/g-1", form | {"message": "Hello"}))
            case "request-cancel":
                self.forms.append(Sent(kind, "/partner-manage/partnership/p-1/cancel", form | {"version": "3"}))
            case "sign-off":
                html = client.get(f"{REVIEW}/sign-off").content.decode()
                user_count = int(re.findall(r"<p>\d+ of (\d+) users? reviewed</p>", html)[0])
                form["digest"] = get_value(html, "digest")
                self.forms.append(Sent(kind, f"{REVIEW}/sign-off", form, user_count))
            case _:
                path = f"{REVIEW}/bulk/keep" if kind == "keep" else f"{USERS}/bulk/{kind.removeprefix('bulk-')}"
                html = client.post(path, {"id": ["u-1", "u-2"]}).content.decode()
                if 'name="job"' in html:
                    self.forms.append(Sent(kind, path, next_step(html)))

    def _upload(self, client: Client, path: str, rows: list[str]) -> None:
        """Send a file whose rows may update existing objects, and store the form of its check."""
        html = upload(client, path, "\n".join(rows), overwrite="on").content.decode()
        if 'name="lines"' in html:
            self.forms.append(Sent("", path, {"lines": get_value(html, "lines")}))

    def send(self, session: int, form: Sent, option: int, fault: str) -> None:
        before, known = snapshot(), dict(Submission.objects.values_list("key", "answer"))
        signed = Activity.objects.filter(act="sign_off", is_bulk=True).count()
        stored = stored_rows()
        self.service.fault = fault
        response = self.sessions[session].post(form.path, form.with_option(option))
        self.service.fault = ""
        self.service.log += stored_changes(stored, stored_rows())
        assert response.status_code not in (500, 302), response.content[:500]
        if form.kind == "keep" and response.status_code in (200, 303):
            self._keep(form, OPTIONS["keep"][option]["reason"])
        if fault == "killed":
            lose_answers(before, known)
        elif form.kind.startswith("bulk") and response.status_code < 500:
            if "?result=" in response.headers.get("Location", ""):
                response = self.sessions[session].get(response["Location"])
            self._next_forms(form, response)
        if Activity.objects.filter(act="sign_off", is_bulk=True).count() > signed:
            entry = Activity.objects.filter(act="sign_off", is_bulk=True).latest("id")
            assert Activity.objects.filter(parent=entry.key).count() == form.user_count

    def _keep(self, form: Sent, reason: str) -> None:
        """Log the decision to keep users, which is only recorded, each time that it isn't a repetition."""
        if (form.values["job"], reason) not in self.reviewed:
            self.reviewed.add((form.values["job"], reason))
            self.service.log += [("user.keep", id, "keep", reason) for id in ("u-1", "u-2")]

    def _next_forms(self, form: Sent, response: Any) -> None:
        """Store the forms that a result page offers: to try again, and to undo."""
        for offered in Page.from_response(response).forms:
            if "retry" in offered.values:
                self.forms.append(Sent(form.kind, form.path, offered.values))
            elif offered.action.endswith("/bulk/unlock"):
                self.forms.append(Sent("bulk-unlock", offered.action, offered.values))

    def jump(self, seconds: float) -> None:
        passed = timedelta(seconds=seconds)
        self.reviewed.clear()
        Submission.objects.update(created_at=F("created_at") - passed)
        Activity.objects.update(at=F("at") - passed)
        self.service.now += seconds
        self.seconds += seconds

    def check(self, before: dict[int, tuple[str, str]]) -> None:
        """Assert that no complete entry has changed, and that the activity matches the service's log."""
        now = snapshot()
        for pk, (outcome, content) in before.items():
            assert pk in now, "an entry is gone"
            assert outcome == "unknown" or now[pk] == (outcome, content), "a complete entry has changed"
            assert now[pk][0] in (outcome, "done")
        done, unknown = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
        for row in Activity.objects.filter(is_bulk=False).exclude(act="sign_off"):
            (done if row.outcome == "done" else unknown if row.outcome == "unknown" else Counter())[logged(row)] += 1
        log = Counter(self.service.log)
        for call in {*log, *done, *unknown}:
            assert done[call] <= log[call] <= done[call] + unknown[call], call
        for entry in Activity.objects.filter(is_bulk=True).exclude(outcome="unknown"):
            rows = Counter(Activity.objects.filter(parent=entry.key).values_list("outcome", flat=True))
            if entry.act != "sign_off":
                assert Content.decrypt(entry.content).counts == rows


def stored_rows() -> dict[tuple[int, str], int]:
    """Return the versions of the console's own rows."""
    return {
        (index, str(row.pk)): getattr(row, "version", 1)
        for index, (model, _actions) in enumerate(STORED_ROWS)
        for row in model._default_manager.all()
    }


def stored_changes(before: dict[tuple[int, str], int], now: dict[tuple[int, str], int]) -> list[tuple[str, ...]]:
    """Return the created, changed and deleted rows, in the form of the service's log."""
    made = [STORED_ROWS[index][1][0] for index, pk in now.keys() - before.keys()]
    deleted = [STORED_ROWS[index][1][2] for index, pk in before.keys() - now.keys()]
    changed = [STORED_ROWS[row[0]][1][1] for row in before.keys() & now.keys() if before[row] != now[row]]
    return [(action,) for action in (*made, *changed, *deleted)]


def logged(row: Activity) -> tuple[str, ...]:
    """Return an entry in the form of the service's log."""
    content, action = Content.decrypt(row.content), f"{row.kind}.{row.act}"
    if action in {action for _model, actions in STORED_ROWS for action in actions}:
        return (action,)
    if row.kind == "lab" or action in ("user.move", "team.delete"):
        return action, content.target.id
    if action in ("team.create", "user.invite"):
        return action, content.target.name
    changed = [str(change.new) for change in content.changes]
    return action, content.target.id, *changed


def snapshot() -> dict[int, tuple[str, str]]:
    """Return all entries except those of bulk actions, which count their rows."""
    rows = Activity.objects.filter(Q(is_bulk=False) | Q(act="sign_off"))
    return {pk: (outcome, content) for pk, outcome, content in rows.values_list("pk", "outcome", "content")}


def lose_answers(before: dict[int, tuple[str, str]], known: dict[str, str]) -> None:
    """Remove new responses, like a process that is killed after its call."""
    for submission in Submission.objects.exclude(answer=""):
        if known.get(submission.key) != submission.answer:
            Submission.objects.filter(pk=submission.pk).update(answer="")
    for row in Activity.objects.filter(is_bulk=False, outcome="done").exclude(act="sign_off"):
        if before.get(row.pk) != (row.outcome, row.content):
            Activity.objects.filter(pk=row.pk).update(outcome="unknown")
            Activity.objects.filter(key=row.parent).update(outcome="unknown")


sessions = st.integers(0, 1)
sends = st.tuples(
    st.just("send"),
    sessions,
    st.integers(0, 3),
    st.integers(0, 1),
    st.sampled_from(("", "", "", "lost", "failed", "killed")),
)
jumps = st.tuples(st.just("jump"), st.sampled_from((85, 7200)))


def build_steps(kinds):
    opens = st.tuples(st.just("open"), sessions, st.sampled_from(kinds), st.integers(0, 1))
    return st.lists(st.one_of(opens, sends, jumps), min_size=4, max_size=12)


# Few kinds in each sequence, so that each is repeated.
stories = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True).flatmap(build_steps)


@pytest.fixture
def two_sessions(administrator, upstream, saved_login):
    """Return two browsers of one administrator."""
    other = Client()
    saved_login.restore(other)
    return [administrator, other]


@pytest.mark.parametrize("has_bulk_calls", [True, False])
@pytest.mark.parametrize("examples", [10, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_activity_matches_the_log_of_the_service(two_sessions, upstream, examples, has_bulk_calls, saved_login):
    @settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        database=None,
    )
    @given(stories)
    def run(steps):
        with rolled_back(two_sessions[0]), rolled_back(two_sessions[1]):
            run_story(Story(serve(upstream, has_bulk_calls=has_bulk_calls), two_sessions, saved_login), steps)

    run()


def serve(upstream, *, has_bulk_calls):
    """Answer the calls with a new service."""
    service = Service(has_bulk_calls=has_bulk_calls)
    transport.capabilities.clear()
    upstream.remove("GET", PEOPLE)
    upstream.callback("GET", PEOPLE, service.list_users)
    lists = {PARTNERSHIPS: service.list_requests, PARTNER_LIST: service.list_labs, SCANNERS: service.list_scanners}
    for path, answer in (lists | {f"{PEOPLE}/exist": service.find_email}).items():
        upstream.remove("GET", path)
        upstream.callback("GET", path, answer)
    ones = (
        *(rf"{TEAMS}/t-\d+", "/v1/bizLabs/l-1", f"{PARTNERSHIPS}/p-1", ORGANIZATION, ADMINISTRATOR),
        *(rf"{CLINICS}/g-9\d+", f"{CLINICS}/g-1/permissions"),
    )
    upstream.remove("GET", f"{TEAMS}/t-1")
    upstream.answers("GET", "/v1/bizOrganizations/exist", {"resultCount": 0})
    for path in (rf"{PEOPLE}/u-\d+", rf"{PEOPLE}/u-\d+/permissions", *ones):
        upstream.remove("GET", path)
        upstream.callback("GET", path, service.one)
    for method in ("POST", "PUT", "DELETE"):
        parts = (PEOPLE, TEAMS, PARTNERSHIPS, PARTNER_LIST, CLINICS, SCANNERS, ORGANIZATION, ADMINISTRATOR)
        for path in (f"{part}.*" for part in parts):
            upstream.remove(method, path)
            upstream.callback(method, path, service.answer)
    return service


def run_story(story, steps):
    """Run the steps of a story, and check it after each."""
    clock = mock.Mock(time=lambda: time.time() + story.seconds)
    with mock.patch("django.core.signing.time", clock):
        for name, *values in steps:
            before = snapshot()
            if name == "open":
                story.open(*values)
            elif name == "jump":
                story.jump(*values)
            elif story.forms:
                session, number, option, fault = values
                form = story.forms[-1 - number % len(story.forms)]  # mostly the newest, for repetitions
                story.send(session, form, option, fault)
                if fault == "killed":
                    story.jump(85)
            story.check(before)
