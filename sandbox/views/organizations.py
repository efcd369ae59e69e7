"""Organizations: detail, availability of a name, sign-up."""

from typing import Annotated, Any

import msgspec

from sandbox import mail
from sandbox.errors import Code, Refusal
from sandbox.gate import LANGUAGES, Call, route
from sandbox.lists import fold
from sandbox.regions import LOCATIONS
from sandbox.rules import Country, check_email, check_password
from sandbox.store import Row

HIDDEN = ("serviceDomainId", "dashboardUrl")
"""Fields that only other calls return."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class NameQuery(msgspec.Struct, forbid_unknown_fields=True):
    name: Text


class OrganizationChange(msgspec.Struct):
    """The fields that may change; the server location may only be repeated."""

    name: Text | msgspec.UnsetType = msgspec.UNSET
    countryCode: Country | msgspec.UnsetType = msgspec.UNSET
    serverLocation: str | msgspec.UnsetType = msgspec.UNSET


class NewOrganization(msgspec.Struct):
    """The organization in a sign-up."""

    name: Text
    countryCode: Country
    serverLocation: str


class Agreements(msgspec.Struct):
    """The agreements of the new administrator."""

    terms: bool
    privacy: bool
    marketing: bool = False
    termsVersion: str = ""


class SignUp(msgspec.Struct):
    """The body of signUpWithOrganization."""

    email: str
    password: str
    name: Text
    organization: NewOrganization
    agreements: Agreements
    language: str = "en-US"


def _with_name(call: Call, name: str) -> list[Row]:
    wanted = fold(name.strip())
    return [row for row in call.store.all("organizations").values() if fold(row["name"]) == wanted]


@route("GET", "v1/bizOrganizations/exist", access="open")
def exist(call: Call) -> Any:
    return {"resultCount": len(_with_name(call, call.query(NameQuery).name))}


@route("GET", "v1/bizOrganizations/<id>")
def read(call: Call, id: str) -> Any:
    return _view(call, id)


def _view(call: Call, organization_id: str) -> Row:
    row = call.store.all("organizations")[call.organization(organization_id)]
    return {key: value for key, value in row.items() if key not in HIDDEN}


@route("PUT", "v1/bizOrganizations/<id>")
def update(call: Call, id: str) -> Any:
    organization = call.store.all("organizations")[call.organization(id)]
    change = call.body(OrganizationChange)
    call.check_version(organization)
    if change.serverLocation not in (msgspec.UNSET, organization["serverLocation"]):
        raise Refusal(Code.SERVER_LOCATION_FIXED, fields=["serverLocation"])
    fields = msgspec.to_builtins(change)
    if "name" in fields:
        if fields["name"] == organization["name"]:
            raise Refusal(Code.ORGANIZATION_NAME_SAME, fields=["name"])
        if any(row["id"] != id for row in _with_name(call, fields["name"])):
            raise Refusal(Code.ORGANIZATION_NAME_IN_USE, fields=["name"])
    return {"version": call.store.change("organizations", organization, **fields)["version"]}


@route("POST", "v1/accounts/organizationAdmins/signUpWithOrganization", access="handler")
def sign_up(call: Call) -> Any:
    body = call.body(SignUp)
    store, now = call.store, call.now
    email = check_email(body.email)
    location = LOCATIONS.get(body.organization.serverLocation)
    if location is None or body.language not in LANGUAGES:
        field = "language" if location else "organization.serverLocation"
        raise Refusal(Code.PARAMETER_INVALID, fields=[field], status=422)
    check_password(body.password, "password")
    if not (body.agreements.terms and body.agreements.privacy):
        raise Refusal(Code.AGREEMENT_MISSING, fields=["agreements"])
    if store.filter_by("admins", "email", email):
        raise Refusal(Code.EMAIL_IN_USE, fields=["email"])
    if _with_name(call, body.organization.name):
        raise Refusal(Code.ORGANIZATION_NAME_IN_USE, fields=["organization.name"])
    organization = store.put("organizations", {
        "id": store.next_id("organizations", "o"), **msgspec.structs.asdict(body.organization),
        "serviceDomainId": location[0], "createdDate": now, "version": 1,
    })  # fmt: skip
    admin = store.put("admins", {
        "id": store.next_id("admins", "a"), "email": email, "password": body.password,
        "organizationId": organization["id"], "type": 1, "name": body.name, "language": body.language,
        "timeZone": None, "marketingAgreed": body.agreements.marketing, "dashboardUrl": None, "pendingEmail": None,
        "lastLoginDate": None, "createdDate": now, "version": 1,
    })  # fmt: skip
    mail.send(call.world, to=email, kind="SIGN_UP", path="/login", organization_id=organization["id"])
    return {"adminId": admin["id"], "organizationId": organization["id"]}
