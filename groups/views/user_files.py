"""Users as CSV files, of one clinic or of all: exported, and imported by an invitation each."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console import csv_pages
from console.access import private
from console.bidi import isolated
from console.csv_import import Kind, Present, Values
from console.http import ConsoleRequest
from console.lists import Label, ListQuery
from console.returning import way_back
from console.tables import ListView
from console.timezone import zone_of
from console.upstream.bulk import BulkRow, Change
from console.upstream.client import Upstream
from console.upstream.clinics import Clinic
from console.upstream.listing import Listing
from console.upstream.places import Place
from console.upstream.users import NewUser, User
from groups.clinic_names import clinic_names
from groups.forms.files import ClinicUserRow, UserRow, difference
from groups.tables.clinics import users_url
from groups.tables.users import ALL_USERS, USER_TYPES, USERS
from groups.tables.users import user_list as draw_list
from groups.views.user_changes import clinic_crumbs

CLINIC_EXAMPLE = "Harbour Dental"
"""The clinic of all examples: who imports both templates as they are gets a user in a clinic."""


@private
def user_export(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    clinic = request.upstream.clinics.get(clinic_id)
    query, path = ListQuery.read(USERS, request.GET), users_url(clinic.id)
    return csv_pages.export(
        request,
        query,
        read=lambda params: request.upstream.users.list(params, clinic_id=clinic.id),
        draw=lambda listing: draw_list(query, listing, path=path, clinic_id=clinic.id, where=zone_of(request)),
        list_path=path,
        more={_("Clinic"): clinic.name},
    )


@private
def all_user_export(request: ConsoleRequest) -> HttpResponse:
    upstream, organization = request.upstream, request.admin.organization_id
    query, path = ListQuery.read(ALL_USERS, request.GET), reverse("groups:all-users")

    def draw(listing: Listing[User]) -> ListView:
        names = clinic_names(upstream, listing.results, organization)
        return draw_list(query, listing, path=path, where=zone_of(request), clinic_names=names)

    return csv_pages.export(
        request,
        query,
        read=lambda params: upstream.users.list(params, organization_id=organization),
        draw=draw,
        list_path=path,
    )


@private(methods=("GET", "POST"))
def user_import(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    return csv_pages.import_page(request, _page(request, request.upstream.clinics.get(clinic_id)))


@private
def user_import_template(request: ConsoleRequest, clinic_id: str) -> HttpResponse:
    return csv_pages.template_file(_page(request, request.upstream.clinics.get(clinic_id)))


@private(methods=("GET", "POST"))
def all_user_import(request: ConsoleRequest) -> HttpResponse:
    return csv_pages.import_page(request, _page_of_all(request))


@private
def all_user_import_template(request: ConsoleRequest) -> HttpResponse:
    return csv_pages.template_file(_page_of_all(request))


def _page(request: ConsoleRequest, clinic: Clinic) -> csv_pages.ImportPage:
    return _import(
        request,
        ClinicUserRow,
        options={"clinic": clinic.name},
        title=_("Import users"),
        crumbs=clinic_crumbs(clinic),
        template_href=reverse("groups:user-import-template", args=[clinic.id]),
        back=way_back(request, users_url(clinic.id)),
        hints=[
            _("Team: the name of a team of this clinic; empty for none."),
            _("Clinic: a row that names another clinic than %(clinic)s is not imported.")
            % {"clinic": isolated(clinic.name)},
        ],
    )


def _page_of_all(request: ConsoleRequest) -> csv_pages.ImportPage:
    return _import(
        request,
        UserRow,
        example={"clinic_name": CLINIC_EXAMPLE},
        title=_("Import users of all clinics"),
        template_href=reverse("groups:all-user-import-template"),
        crumbs=[{"label": _("Users"), "href": reverse("groups:all-users")}],
        back=way_back(request, reverse("groups:all-users"), reverse("groups:clinic-list")),
        hints=[
            _("Clinic: the name of one of your clinics."),
            _("Team: the name of a team of that clinic; empty for none."),
        ],
    )


def _import(
    request: ConsoleRequest,
    form: type[UserRow],
    *,
    title: str,
    template_href: str,
    back: str,
    hints: Sequence[Label],
    crumbs: Sequence[Mapping[str, str]],
    example: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> csv_pages.ImportPage:
    """What both imports have in common."""
    upstream, language = request.upstream, request.lng
    types = {"first": USER_TYPES["DOCTOR"], "second": USER_TYPES["STAFF"]}

    def people(rows: Sequence[Values]) -> list[NewUser]:
        return [NewUser(**row, language=language) for row in rows]

    return csv_pages.ImportPage(
        Kind(
            form,
            key="email",
            run=lambda rows, is_dry, key: upstream.users.bulk_create(people(rows), dry_run=is_dry, idempotency_key=key),
            failure=_("Failed to create the user."),
            find=lambda rows: _find(upstream, people(rows)),
            update=upstream.users.change_each,
            update_failure=_("Failed to update the user."),
            options=options or {},
        ),
        name="users",
        title=title,
        crumbs=crumbs,
        example={
            "name": "Alex Example",
            "user_type": str(types["first"]),
            "email": "alex@clinic.example",
            "team_name": "",
            **(example or {}),
        },
        template_href=template_href,
        back=back,
        hints=[_("Type: %(first)s or %(second)s.") % types, *hints],
        note=_("Each new person gets an invitation by email."),
    )


def _find(upstream: Upstream, people: Sequence[NewUser]) -> list[Present | BulkRow | str]:
    """What each row would change of the user who has its address."""
    found = upstream.users.present(people)
    return [
        told if isinstance(told, BulkRow) else _present(person, *told)
        for person, told in zip(people, found, strict=True)
    ]


def _present(person: NewUser, user: User, place: Place) -> Present | str:
    if user.clinic_id != place.clinic_id:
        if not user.clinic_name:
            return _("This user is in another clinic, and an import moves nobody")
        return _("This user is in %(clinic)s, and an import moves nobody") % {"clinic": isolated(user.clinic_name)}
    fields: dict[str, Any] = {}
    texts: list[str] = []
    if person.name != user.name:
        fields["name"] = person.name
        texts.append(difference(UserRow, "name", user.name, person.name))
    if person.user_type != user.user_type:
        fields["user_type"] = person.user_type
        types = [str(USER_TYPES.get(code, code)) for code in (user.user_type, person.user_type)]
        texts.append(difference(UserRow, "user_type", *types))
    if place.team_id and place.team_id != user.team_id:
        fields["team_id"] = place.team_id
        texts.append(difference(UserRow, "team_name", user.team_name or "", person.team_name))
    return Present(Change(user.id, user.version, fields), texts)
