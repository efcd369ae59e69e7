"""Places: the clinics and teams that rows of people name, for a service that cannot look them up itself."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from console.upstream import clinics, teams
from console.upstream.bulk import BulkRow, row_of
from console.upstream.calls import Caller
from console.upstream.errors import Code
from console.upstream.listing import Listing, Search, find_all
from console.upstream.nouns import Id, Noun, plain


class Place(NamedTuple):
    """Where a person is to be; no team is None."""

    clinic_id: str
    team_id: str | None


class _Named(Noun, frozen=True, kw_only=True):
    id: Id
    name: str = ""


_Found = str | BulkRow  # an id, or why there is none


def find_places(upstream: Caller, names: Sequence[tuple[str, str]]) -> list[Place | BulkRow]:
    """Return the place of each pair of a clinic's and a team's name, or the row that says which of them there is not.

    Each name is asked for once. Case, accents and the spaces around a name do not count; one that several have is
    invalid, because nobody can say which of them is meant.
    """
    ours = upstream.organization_id
    clinic_ids = _search(
        upstream,
        {("", _folded(clinic)) for clinic, _ in names},
        lambda _, name: Search(clinics.PATH, "name", name, {"organizationId": ours}),
        "clinic_name",
    )
    clinic_of = {clinic: clinic_ids["", _folded(clinic)] for clinic, _ in names}
    wanted = [(clinic_of[clinic], _folded(team)) for clinic, team in names]
    team_ids = _search(
        upstream,
        {(clinic_id, team) for clinic_id, team in wanted if isinstance(clinic_id, str) and team},
        lambda clinic_id, name: Search(teams.PATH, "name", name, {"mainGroupId": clinic_id}),
        "team_name",
    )
    places: list[Place | BulkRow] = []
    for clinic_id, team in wanted:
        team_id = team_ids.get((clinic_id, team)) if isinstance(clinic_id, str) else None
        if isinstance(clinic_id, BulkRow):
            places.append(clinic_id)
        elif isinstance(team_id, BulkRow):
            places.append(team_id)
        else:
            places.append(Place(clinic_id, team_id))
    return places


def _search(
    upstream: Caller, wanted: Iterable[tuple[str, str]], search: Callable[[str, str], Search], field: str
) -> dict[tuple[str, str], _Found]:
    pairs = sorted(wanted)
    found: dict[tuple[str, str], _Found] = {}
    for pair, got in zip(pairs, find_all(upstream, [search(*pair) for pair in pairs], Listing[_Named]), strict=True):
        if isinstance(got, Listing):
            # A row may slide from one page to the next while they are read.
            same = list(dict.fromkeys(row.id for row in got.results if plain(row.name) == plain(pair[1])))
            code = Code.PARAMETER_INVALID if same else Code.NOT_FOUND
            found[pair] = same[0] if len(same) == 1 else BulkRow(ok=False, code=code, field=field)
        else:
            found[pair] = replace(row_of(got), field=field, unsure=False)
    return found


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).strip().casefold()
