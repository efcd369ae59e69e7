"""Export and import of users, of one clinic or of all; an import invites each user."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.audit.content import Change, Ref
from console.audit.record import AuditAction
from console.files.exporter import Export
from console.files.known_values import coded_values
from console.files.spec import ColumnValues, Existing, Import, ImportSpec, Match, Reference, Values, difference
from console.forms.return_url import return_url
from console.l10n.bidi import isolated
from console.l10n.numbers import ngettext
from console.lists.query import Label, ListQuery
from console.lists.view import Column
from console.web.request import ConsoleRequest
from groups.files.clinics import CLINIC_EXAMPLE
from groups.files.names import KnownNames
from groups.forms.files import ClinicUserRow, UserRow
from groups.labels import USER_TYPE_WORDS, USER_TYPES, user_type_in
from groups.links.clinics import clinic_crumbs, clinic_list_url
from groups.links.users import user_list_url
from groups.tables.users import ALL_USERS, USERS, user_columns
from upstream.bulk import RowOutcome, RowUpdate
from upstream.client import Upstream
from upstream.emails import email_key
from upstream.listing import Listing, ListParams
from upstream.resources.clinics import Clinic
from upstream.resources.name_lookup import Membership
from upstream.resources.users import STAFF, NewUser, User

REFERENCES = {
    "clinic_name": Reference(
        missing=gettext_lazy("No clinic has this name."), ambiguous=gettext_lazy("Several clinics have this name.")
    ),
    "team_name": Reference(
        missing=gettext_lazy("No team has this name"), ambiguous=gettext_lazy("Several teams have this name")
    ),
}


class AllUserExport(Export[User]):
    definition = ALL_USERS

    def read(self, params: ListParams) -> Listing[User]:
        return self.upstream.users.list(params, organization_id=self.request.admin.organization_id)

    def columns(self, query: ListQuery, listing: Listing[User]) -> Sequence[Column[User]]:
        return user_columns(self.tz, clinic_names=self.upstream.clinics.get_names(listing.results), is_file=True)


class UserExport(Export[User]):
    definition = USERS

    def __init__(self, request: ConsoleRequest, clinic_id: str) -> None:
        super().__init__(request)
        self.clinic = request.upstream.clinics.get(clinic_id)

    def read(self, params: ListParams) -> Listing[User]:
        return self.upstream.users.list(params, clinic_id=self.clinic.id)

    def columns(self, query: ListQuery, listing: Listing[User]) -> Sequence[Column[User]]:
        return user_columns(self.tz, clinic_id=self.clinic.id, is_file=True)

    def extra_columns(self) -> Mapping[str, str]:
        return {_("Clinic"): self.clinic.name}


def build_user_import(request: ConsoleRequest, clinic_id: str = "") -> Import:
    """Return the import of users into a clinic, or into those that the rows name."""
    if clinic_id:
        return _into_clinic(request, request.upstream.clinics.get(clinic_id))
    return Import(
        _spec(request, UserRow),
        **_words(reverse("groups:all-user-bulk-run", args=["permissions"])),
        title=_("Import users for all clinics"),
        crumbs=[{"label": _("Users"), "href": user_list_url()}],
        example=_example() | {"clinic_name": CLINIC_EXAMPLE},
        template_url=reverse("groups:all-user-template-export"),
        back=return_url(request, user_list_url(), clinic_list_url()),
        hints=[
            _type_hint(),
            # Translators: begins with the name of the column, as it is translated on its own.
            _("Clinic: the name of one of your clinics."),
            # Translators: begins with the name of the column, as it is translated on its own.
            _("Team: the name of a team in that clinic. Leave blank for no team."),
        ],
    )


def _into_clinic(request: ConsoleRequest, clinic: Clinic) -> Import:
    return Import(
        _spec(request, ClinicUserRow, clinic=clinic, options={"clinic": clinic.name}),
        **_words(reverse("groups:user-bulk-run", args=[clinic.id, "permissions"])),
        title=_("Import users"),
        crumbs=clinic_crumbs(clinic),
        example=_example(),
        template_url=reverse("groups:user-template-export", args=[clinic.id]),
        back=return_url(request, user_list_url(clinic.id)),
        hints=[
            _type_hint(),
            # Translators: begins with the name of the column, as it is translated on its own.
            _("Team: the name of a team in this clinic. Leave blank for no team."),
            # Translators: begins with the name of the column, as it is translated on its own; %(clinic)s: a clinic.
            _("Clinic: rows that name a clinic other than %(clinic)s won't be imported.")
            % {"clinic": isolated(clinic.called)},
        ],
    )


def _spec(
    request: ConsoleRequest,
    form: type[UserRow],
    *,
    clinic: Clinic | None = None,
    options: Mapping[str, str] | None = None,
) -> ImportSpec:
    upstream, language, known = request.upstream, request.lng, KnownNames(request, clinic)
    words = {code: (label,) for code, label in USER_TYPE_WORDS.items()}
    types, teams = coded_values(USER_TYPES, words, user_type_in), known.team_values()
    clinics = {} if clinic else {"clinic_name": known.clinic_values()}
    for_all: dict[str, Callable[[], Sequence[Label]]] = {"user_type": lambda: list(USER_TYPES.values())}
    if not clinic:
        for_all["clinic_name"] = lambda: [one.name for one in known.clinics]

    def people(rows: Sequence[Values]) -> list[NewUser]:
        return [NewUser(**row, language=language) for row in rows]

    return ImportSpec(
        form,
        key="email",
        same=email_key,
        create=lambda rows, is_dry, key: upstream.users.bulk_create(people(rows), dry_run=is_dry, idempotency_key=key),
        create_failed=_("Failed to create the user."),
        find=lambda rows: _find(upstream, people(rows)),
        update=upstream.users.update_each,
        update_failed=_("Failed to update the user."),
        kind="user",
        audit_entry=partial(_audit_entry, clinic),
        references=REFERENCES,
        for_all=for_all,
        values={"user_type": types, **clinics, "team_name": teams},
        recognizers={
            "email": lambda text: "@" in text,
            "user_type": lambda text: bool(types.suggest("", text)),
            **{name: partial(_is_value, values) for name, values in clinics.items()},
            "team_name": known.is_team,
        },
        stand_ins={
            "name": "–",
            "user_type": STAFF,
            "team_name": "",
            **({"clinic_name": clinic.name} if clinic else {}),
        },
        options=options or {},
    )


def _is_value(values: ColumnValues, text: str) -> bool:
    return bool(values.find("", text))


def _audit_entry(clinic: Clinic | None, row: Values, existing: Existing | None) -> AuditAction:
    """Return the audit entry of a row.

    The file has only the names of clinic and team; only a clinic's own page has an ID.
    """
    ref = Ref(clinic.id, clinic.name) if clinic else Ref("", row.get("clinic_name") or "")
    target = Ref(existing.change.id if existing else "", row["name"])
    team, was = row.get("team_name") or None, existing.was if existing else {"team_id": None}
    changes = [Change("team_id", was["team_id"], team)] if team and "team_id" in was else []
    return AuditAction("user", "edit" if existing else "invite", target, clinic=ref, changes=changes)


def _words(permissions: str) -> dict[str, Any]:
    """Return the arguments that both imports share; `permissions` is the plan that sets those of the new users."""

    def plan(count: int) -> tuple[str, str]:
        label = ngettext("Change permissions for %(count)s user", "Change permissions for %(count)s users", count)
        return label % {"count": count}, permissions

    return {
        "plan": plan,
        "name": "users",
        "overwrite_label": _("Update existing users"),
        "note": _("Each new user gets an invitation by email."),
    }


def _example() -> dict[str, str]:
    return {
        "name": "Alex Example",
        "user_type": str(USER_TYPES["DOCTOR"]),
        "email": "alex@clinic.example",
        "team_name": "",
    }


def _type_hint() -> str:
    # Translators: begins with the name of the column; %(first)s: Doctor, %(second)s: Staff, in your words for them.
    return _("Type: %(first)s or %(second)s.") % {"first": USER_TYPES["DOCTOR"], "second": USER_TYPES["STAFF"]}


def _find(upstream: Upstream, people: Sequence[NewUser]) -> list[Match]:
    """Return what each row would change in the user who has its address."""
    matches = upstream.users.find_by_emails(people)
    return [
        row if isinstance(row, RowOutcome) else _match(person, *row)
        for person, row in zip(people, matches, strict=True)
    ]


def _match(person: NewUser, user: User, membership: Membership) -> Match:
    if user.clinic_id != membership.clinic_id:
        if not user.clinic_name:
            return _("This user belongs to another clinic. Imports don't move users.")
        # Translators: %(clinic)s: name of a clinic.
        return _("This user belongs to %(clinic)s. Imports don't move users.") % {"clinic": isolated(user.clinic_name)}
    fields: dict[str, Any] = {}
    texts: list[str] = []
    if person.name != user.name:
        fields["name"] = person.name
        texts.append(difference(UserRow, "name", user.name, person.name))
    if person.user_type != user.user_type:
        fields["user_type"] = person.user_type
        types = [str(USER_TYPES.get(code, code)) for code in (user.user_type, person.user_type)]
        texts.append(difference(UserRow, "user_type", *types))
    if membership.team_id and membership.team_id != user.team_id:
        fields["team_id"] = membership.team_id
        texts.append(difference(UserRow, "team_name", user.team_name or "", person.team_name))
    was = {"name": user.name, "user_type": user.user_type, "team_id": user.team_name}
    return Existing(RowUpdate(user.id, user.version, fields), texts, {name: was[name] for name in fields})
