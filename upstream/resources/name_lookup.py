"""Name lookup: find the clinics and teams that imported rows name, for a service that can't look them up itself."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from upstream.bulk import RowOutcome, outcome_for
from upstream.calls import Caller
from upstream.characters import folded, normalized
from upstream.errors import Code
from upstream.listing import Listing, Search, find_all
from upstream.nouns import Id, Noun, plain
from upstream.resources import clinics, teams


class Membership(NamedTuple):
    """The clinic and the team that a user belongs to; `team_id` is None without a team."""

    clinic_id: str
    team_id: str | None


class _Named(Noun, frozen=True, kw_only=True):
    id: Id
    name: str = ""


_Lookup = str | RowOutcome  # an id, or why there is none


def find_memberships(upstream: Caller, names: Sequence[tuple[str, str]]) -> list[Membership | RowOutcome]:
    """Return the ids for each pair of a clinic name and a team name, or the outcome that says which does not exist.

    Each name is looked up once. Case, accents and surrounding spaces are ignored. A name that several clinics or teams
    share is invalid, because it is unclear which one is meant.
    """
    organization_id = upstream.organization_id
    clinic_ids = _search(
        upstream,
        {("", _folded(clinic)) for clinic, _ in names},
        lambda _, name: Search(clinics.PATH, "name", name, {"organizationId": organization_id}),
        "clinic_name",
    )
    clinic_id_by_name = {clinic: clinic_ids["", _folded(clinic)] for clinic, _ in names}
    wanted = [(clinic_id_by_name[clinic], _folded(team)) for clinic, team in names]
    team_ids = _search(
        upstream,
        {(clinic_id, team) for clinic_id, team in wanted if isinstance(clinic_id, str) and team},
        lambda clinic_id, name: Search(teams.PATH, "name", name, {"mainGroupId": clinic_id}),
        "team_name",
    )
    memberships: list[Membership | RowOutcome] = []
    for clinic_id, team in wanted:
        team_id = team_ids.get((clinic_id, team)) if isinstance(clinic_id, str) else None
        if isinstance(clinic_id, RowOutcome):
            memberships.append(clinic_id)
        elif isinstance(team_id, RowOutcome):
            memberships.append(team_id)
        else:
            memberships.append(Membership(clinic_id, team_id))
    return memberships


def _search(
    upstream: Caller, wanted: Iterable[tuple[str, str]], search: Callable[[str, str], Search], field: str
) -> dict[tuple[str, str], _Lookup]:
    pairs = sorted(wanted)
    lookups: dict[tuple[str, str], _Lookup] = {}
    for pair, result in zip(pairs, find_all(upstream, [search(*pair) for pair in pairs], Listing[_Named]), strict=True):
        if isinstance(result, Listing):
            # A row may move from one page to the next while they are being read.
            same = list(dict.fromkeys(row.id for row in result.results if plain(row.name) == plain(pair[1])))
            code = Code.PARAMETER_INVALID if same else Code.NOT_FOUND
            lookups[pair] = same[0] if len(same) == 1 else RowOutcome(ok=False, code=code, field=field)
        else:
            lookups[pair] = replace(outcome_for(result), field=field, maybe_applied=False)
    return lookups


def _folded(name: str) -> str:
    return normalized("NFC", folded(name)).casefold()
