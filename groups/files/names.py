"""The clinics and teams that imported users name, and the creation of missing teams."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property, partial

from django.utils.translation import gettext as _

from console.audit.content import DONE, NOT_DONE, REFUSED, UNKNOWN, Change, Ref
from console.audit.record import AuditAction, AuditOutcome, record
from console.files.known_values import named_values
from console.files.spec import ColumnValues, NewValue
from console.l10n.bidi import isolated
from console.l10n.countries import listed
from console.l10n.numbers import ngettext
from console.web.request import ConsoleRequest
from groups.labels import type_choices
from groups.reading import every_clinic, every_team
from upstream.bulk import RowOutcome, single_key
from upstream.errors import IN_USE, NotDone, NotFound
from upstream.listing import all_by_name
from upstream.nouns import plain
from upstream.resources.clinics import Clinic
from upstream.resources.teams import Team


class KnownNames:
    """The clinics and teams of a request's import, into one `clinic` or into those that the rows name."""

    def __init__(self, request: ConsoleRequest, clinic: Clinic | None = None) -> None:
        self._request, self._clinic = request, clinic

    @cached_property
    def clinics(self) -> list[Clinic]:
        """The clinics to choose from; none if they can't be read, so the file has to name them."""
        try:
            return every_clinic(self._request.upstream, self._request.admin.organization_id)
        except (NotDone, NotFound):
            return []

    def clinic_values(self) -> ColumnValues:
        return named_values(lambda _scope: [clinic.name for clinic in self.clinics] or None)

    def team_values(self) -> ColumnValues:
        return named_values(
            self._team_names,
            scope="" if self._clinic else "clinic_name",
            can_be_empty=True,
            empty_label=_("No team"),
            create_label=_("Create this team"),
            create=self._create_teams,
            created=_created_text,
        )

    def is_team(self, text: str) -> bool:
        """Return whether a team of any clinic has this name."""
        try:
            return any(plain(team.name) == plain(text) for team in self._teams)
        except (NotDone, NotFound):
            return False

    @cached_property
    def _teams(self) -> list[Team]:
        upstream, organization_id = self._request.upstream, self._request.admin.organization_id
        if self._clinic:
            return every_team(upstream, self._clinic.id)
        return all_by_name(upstream.together, partial(upstream.teams.list, organization_id=organization_id))

    def _team_names(self, clinic_name: str) -> list[str] | None:
        if self._clinic:
            return [team.name for team in self._teams]
        clinic = self._find_clinic(clinic_name)
        if clinic is None or any(not team.clinic_id for team in self._teams):
            return None
        return [team.name for team in self._teams if team.clinic_id == clinic.id]

    def _find_clinic(self, name: str) -> Clinic | None:
        """Return the clinic with this name; None for no or several ones."""
        if self._clinic:
            return self._clinic
        clinics = [clinic for clinic in self.clinics if plain(clinic.name) == plain(name)]
        return clinics[0] if len(clinics) == 1 else None

    def _create_teams(self, values: Sequence[NewValue], key: str) -> list[str]:
        """Create the teams that don't exist yet; return the reason why each was not created, or ""."""
        known = self.team_values()
        missing = [
            (value, clinic)
            for value in values
            if (clinic := self._find_clinic(value.scope)) and not known.find(value.scope, value.text)
        ]
        if not missing:
            return [""] * len(values)
        teams = self._request.upstream.teams
        team_type, type_name = type_choices(teams.types())[0]
        items = [(clinic.id, value.text) for value, clinic in missing]
        with ExitStack() as stack:
            entries = [
                stack.enter_context(record(self._request, _entry(value.text, clinic, type_name, key), key))
                for value, clinic in missing
            ]
            outcomes = teams.create_each(items, team_type=team_type, idempotency_key=key)
            for entry, outcome in zip(entries, outcomes, strict=True):
                entry.complete(_audit_outcome(outcome))
        reasons = {value: _reason(value.text, outcome) for (value, _c), outcome in zip(missing, outcomes, strict=True)}
        return [reasons.get(value, "") for value in values]


def _entry(name: str, clinic: Clinic, type_name: str, key: str) -> AuditAction:
    changes = [Change("name", None, name), Change("team_type", None, type_name)]
    call_key = single_key(key, f"{clinic.id}/{name}")
    return AuditAction(
        "team", "create", Ref("", name), clinic=Ref(clinic.id, clinic.name), changes=changes, key=call_key
    )


def _audit_outcome(outcome: RowOutcome) -> AuditOutcome:
    if outcome.ok:
        return AuditOutcome(DONE, outcome.id)
    if outcome.maybe_applied:
        return AuditOutcome(UNKNOWN)
    return AuditOutcome(REFUSED if outcome.is_verdict else NOT_DONE, code=outcome.code)


def _reason(name: str, outcome: RowOutcome) -> str:
    if outcome.ok or outcome.code in IN_USE:  # another user was faster
        return ""
    words = {"name": isolated(name)}
    if outcome.maybe_applied:
        # Translators: %(name)s: a team.
        return _("We couldn't confirm whether the “%(name)s” team was created, so this row wasn't imported.") % words
    # Translators: %(name)s: a team.
    return _("The “%(name)s” team wasn't created, so this row wasn't imported.") % words


def _created_text(values: Sequence[NewValue]) -> str:
    names = [f"{isolated(value.text)} ({isolated(value.scope)})" if value.scope else value.text for value in values]
    # Translators: %(names)s: a list of teams.
    text = ngettext(
        "%(count)s team will be created: %(names)s.", "%(count)s teams will be created: %(names)s.", len(names)
    )
    return text % {"count": len(names), "names": listed(names)}
