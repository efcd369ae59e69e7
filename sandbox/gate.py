"""Processing before each call: strict checks of the contract, authentication, and refusals as JSON."""

import hashlib
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse

from sandbox import audit, tokens
from sandbox.clock import iso
from sandbox.errors import Code, Refusal, error_body
from sandbox.middleware import LARGEST_BODY
from sandbox.store import Row, Store
from sandbox.world import World, world

T = TypeVar("T", bound=msgspec.Struct)
Endpoint = Callable[..., Any]
E = TypeVar("E", bound=Endpoint)
Access = Literal["handler", "open", "bearer"]

LANGUAGES = (
    "en-US", "ko-KR", "fr-FR", "zh-CN", "it-IT", "zh-TW", "ja-JP", "es-ES", "de-DE", "ru-RU", "pt-BR",
    "ro-RO", "el-GR", "tr-TR", "cs-CZ", "pl-PL", "ar-EG", "sv-SE", "nl-NL", "th-TH", "vi-VN",
)  # fmt: skip
SERVICE_ID = re.compile(r"[1-9][0-9]{0,8}")
REQUEST_ID = re.compile(r"[0-9a-fA-F-]{32,36}")
VERSION = re.compile(r'"([0-9]{1,18})"')
DAY = 86_400


def _number(text: str) -> int | float:
    """Read 3.0 as 3, because JSON has no integers."""
    value = float(text)
    return int(value) if value.is_integer() else value


_json = msgspec.json.Decoder(float_hook=_number)


class Nothing(msgspec.Struct):
    """The body of calls that take none."""


class OrganizationQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The query of calls that only need the organization's ID."""

    organizationId: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


@dataclass
class Call:
    """A call that passed the checks, as endpoints see it."""

    request: HttpRequest
    world: World
    trace_id: str
    admin: Row
    session: Row

    @property
    def store(self) -> Store:
        """The data of the sandbox."""
        return self.world.store

    @property
    def now(self) -> str:
        """The time of the sandbox, in the format of responses."""
        return iso(self.world.clock.now())

    def days_ago(self, days: int | msgspec.UnsetType) -> str | None:
        """Return the time this number of days ago; None without a number."""
        return None if days is msgspec.UNSET else iso(self.world.clock.now() - days * DAY)

    def body(self, shape: type[T]) -> T:
        """Return the validated JSON body; an absent body counts as {}."""
        raw = self.request.body
        try:
            value = _json.decode(raw) if raw else {}
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Refusal(Code.PARAMETER_INVALID, f"body is not JSON: {error}") from None
        return checked(value, shape)

    def query(self, shape: type[T]) -> T:
        """Return the validated query; only list parameters may be repeated."""
        lists = {f.encode_name for f in msgspec.structs.fields(shape) if _is_list(f.type)}
        values: dict[str, Any] = {}
        for name, given in self.request.GET.lists():
            if name not in lists and len(given) > 1:
                raise Refusal(Code.PARAMETER_INVALID, f"{name} is repeated", fields=[name])
            values[name] = given if name in lists else given[0]
        try:
            return msgspec.convert(values, shape, strict=False)
        except msgspec.ValidationError as error:
            raise _invalid(error) from None

    @property
    def version(self) -> int | None:
        """The version in If-Match, if any."""
        given = self.request.headers.get("If-Match")
        if given is None:
            return None
        match = VERSION.fullmatch(given)
        if match is None:
            raise Refusal(Code.PARAMETER_INVALID, "If-Match is not a version in quotes", fields=["If-Match"])
        return int(match[1])

    def check_version(self, row: Row) -> None:
        """Refuse to change a row if it has changed since the caller read it."""
        if self.version not in (None, row["version"]):
            raise Refusal(Code.CHANGED_MEANWHILE, f"version is {row['version']}")

    def row(self, kind: str, row_id: str, field: str = "") -> Row:
        """Return a row of the caller's organization (of any, if the sandbox is careless), or refuse the field."""
        row = self.store.get(kind, row_id)
        if row is not None and self.may_see(row):
            return row
        raise Refusal(Code.NOT_FOUND, fields=[field] if field else [])

    def may_see(self, row: Row) -> bool:
        """Return True if the caller may see a row: it belongs to their organization, or the sandbox is careless."""
        return self.careless or bool(row["organizationId"] == self.admin["organizationId"])

    def organization(self, organization_id: str) -> str:
        """Return the id of an organization that the caller may read."""
        if organization_id == self.admin["organizationId"]:
            return organization_id
        if self.careless and self.store.get("organizations", organization_id):
            return organization_id
        raise Refusal(Code.NOT_FOUND)

    def scope(self, organization_id: str | msgspec.UnsetType, clinic_id: str | msgspec.UnsetType) -> tuple[str, str]:
        """Return the scope of a list as an indexed field and its value; one of the two ids is required."""
        if clinic_id:
            clinic = self.row("clinics", clinic_id)
            if organization_id in (msgspec.UNSET, clinic["organizationId"]):
                return "mainGroupId", clinic_id
            raise Refusal(Code.NOT_FOUND)
        if organization_id:
            return "organizationId", self.organization(organization_id)
        raise Refusal(Code.PARAMETER_MISSING, "organizationId or mainGroupId", fields=["organizationId"])

    @property
    def careless(self) -> bool:
        """True if a control has switched off the checks of the organization."""
        return bool(self.world.switches["careless"])


def checked(value: Any, shape: type[T]) -> T:
    """Return JSON as a structure, or refuse it and name the wrong field."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise _invalid(error) from None


def _is_list(annotation: Any) -> bool:
    return isinstance(msgspec.inspect.type_info(annotation), msgspec.inspect.ListType)


def _invalid(error: msgspec.ValidationError) -> Refusal:
    """Return a refusal that names the wrong field, with the contract's code."""
    text = str(error)
    missing = re.search(r"missing required field `([^`]+)`", text)
    if missing:
        return Refusal(Code.PARAMETER_MISSING, text, fields=[missing[1]])
    path = re.search(r"at `\$\.([^`]+)`", text)
    code = Code.TOO_SHORT if "of length >=" in text else Code.PARAMETER_INVALID
    return Refusal(code, text, fields=[path[1]] if path else [])


def _check_headers(request: HttpRequest) -> None:
    headers = request.headers
    for name in ("service-id", "Content-Type"):
        if not headers.get(name):
            raise Refusal(Code.PARAMETER_MISSING, f"{name} is missing", fields=[name])
    checks = {
        "service-id": SERVICE_ID.fullmatch(headers["service-id"]),
        "Content-Type": headers["Content-Type"].partition(";")[0].strip().lower() == "application/json",
        "X-Request-Id": REQUEST_ID.fullmatch(headers.get("X-Request-Id", "0" * 32)),
        "Idempotency-Key": REQUEST_ID.fullmatch(headers.get("Idempotency-Key", "0" * 32)),
        "Accept-Language": headers.get("Accept-Language", "en-US") in LANGUAGES,
    }
    for name, passed in checks.items():
        if not passed:
            raise Refusal(Code.PARAMETER_INVALID, f"{name} is invalid", fields=[name])
    if len(request.body) > LARGEST_BODY:
        raise Refusal(Code.TOO_LARGE)


def _caller(request: HttpRequest, world: World, access: Access, any_type: bool) -> tuple[Row, Row]:
    """Return the admin and the session of a call; empty rows for a call without a token."""
    authorization = request.headers.get("Authorization")
    if access != "bearer":
        if authorization is not None:
            raise Refusal(Code.PARAMETER_INVALID, "this call takes no token", fields=["Authorization"])
        return {}, {}
    admin, session = tokens.caller(world, authorization or "")
    if any_type or admin["type"] == 1:
        organization = world.store.all("organizations")[admin["organizationId"]]
        if int(request.headers["service-id"]) != organization["serviceDomainId"]:
            raise Refusal(Code.NOT_ALLOWED, "service-id is of another region", fields=["service-id"])
        return admin, session
    raise Refusal(Code.NOT_ALLOWED, "only organization administrators may call this")


def _once(call: Call, endpoint: Endpoint, parts: dict[str, str]) -> Any:
    """Execute a call once per Idempotency-Key; refused calls changed nothing and may be repeated."""
    key = call.request.headers.get("Idempotency-Key")
    if key is None:
        return endpoint(call, **parts)
    store, now = call.world.store, call.world.clock.now()
    name = hashlib.sha256(f"{call.request.path}|{call.admin.get('id')}|{key}".encode()).hexdigest()
    body = hashlib.sha256(call.request.body).hexdigest()
    stored = store.get("answers", name)
    if stored is not None and stored["time"] > now - DAY:
        if stored["body"] != body:
            raise Refusal(Code.SAME_KEY_OTHER_BODY)
        return stored["answer"]
    answer = endpoint(call, **parts)
    store.put("answers", {"id": name, "body": body, "answer": answer, "time": now})
    return answer


def _respond(value: Any, status: int, trace_id: str) -> HttpResponse:
    response = HttpResponse(msgspec.json.encode(value), content_type="application/json", status=status)
    response["X-Request-Id"] = trace_id
    response["Cache-Control"] = "no-store"
    return response


def _trace_id(request: HttpRequest) -> str:
    given = request.headers.get("X-Request-Id", "")
    return given if REQUEST_ID.fullmatch(given) else str(uuid.uuid4())


@dataclass
class Route:
    """A path: its port, whether it requires a token, and the function of each method.

    `any_type` admits group admins and members.
    """

    access: Access
    any_type: bool
    by_method: dict[str, Endpoint] = field(default_factory=dict)

    def __call__(self, request: HttpRequest, **parts: str) -> HttpResponse:
        current = world()
        trace_id = _trace_id(request)
        with current.lock:
            try:
                on_handler = int(request.META["SERVER_PORT"]) == current.options.handler_port
                if on_handler != (self.access == "handler"):
                    raise Refusal(Code.NOT_FOUND, "not on this host")
                endpoint = self.by_method.get(request.method or "")
                if endpoint is None:
                    raise Refusal(Code.PARAMETER_INVALID, "method not allowed", status=405)
                _check_headers(request)
                admin, session = _caller(request, current, self.access, self.any_type)
                call = Call(request, current, trace_id, admin, session)
                answer = _once(call, endpoint, parts)
                if self.access == "bearer":
                    audit.note(call)
                return _respond(answer, 200, trace_id)
            except Refusal as refusal:
                response = _respond(refusal.body(trace_id), refusal.status, trace_id)
                if refusal.status == 405:
                    response["Allow"] = ", ".join(sorted(self.by_method))
                if refusal.status == 401 and self.access == "bearer":
                    response["WWW-Authenticate"] = "Bearer"
                return response
            finally:
                current.store.flush()


ROUTES: dict[str, Route] = {}


def route(method: str, path: str, *, access: Access = "bearer", any_type: bool = False) -> Callable[[E], E]:
    """Register the function that executes a call of the contract."""

    def register(endpoint: E) -> E:
        ROUTES.setdefault(path, Route(access, any_type)).by_method[method] = endpoint
        return endpoint

    return register


def _error(code: Code, status: int, message: str) -> Callable[..., HttpResponse]:
    def view(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
        trace_id = _trace_id(request)
        return _respond(error_body(code, message, trace_id), status, trace_id)

    return view


unknown_path = _error(Code.NOT_FOUND, 404, "no such call")
bad_request = _error(Code.PARAMETER_INVALID, 400, "bad request")
broken = _error(Code.UNKNOWN_FAILURE, 500, "the sandbox failed")
