"""The list of the organization's permission presets: its definition, and its rows."""

from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from console.forms.return_url import query_with_return_url
from console.lists.query import ListDefinition, ListQuery
from console.lists.view import Cell, Column, ListTable, ListTexts, ListView, RowAction, list_view
from console.web.links import Link
from console.web.paths import get_path
from groups.forms.permissions import ON
from groups.labels import PERMISSION_HEADS, PERMISSIONS
from groups.models import Preset
from upstream.listing import Listing

PRESETS = ListDefinition(name="presets", search_fields=(), filters=(), sorts=(), default_sort="", columns=())


def preset_table(query: ListQuery, listing: Listing[Preset], *, path: str) -> ListView:
    """Return the presets by name; a row opens its form."""
    actions = (
        RowAction[Preset](_("Edit"), "/edit", lambda p: p.is_readable),
        RowAction[Preset](_("Delete"), "/delete"),
    )
    return _table(
        query, listing, path=path, href=lambda p: _page(p, path), row_href=lambda p: f"{path}/{p.id}", actions=actions
    )


def preset_choices(query: ListQuery, listing: Listing[Preset], *, path: str, target: str, back: str) -> ListView:
    """Return the presets by name; each links to the form at `target` with its settings.

    `back` is the list that the clinic or user was opened from, empty for the usual one.
    """
    query = query_with_return_url(query, back)

    def form(preset: Preset) -> str:
        return f"{target}?{urlencode([('preset', preset.id), *query.extra_pairs])}" if preset.is_readable else ""

    return _table(query, listing, path=path, href=form, row_href=form)


def _table(
    query: ListQuery,
    listing: Listing[Preset],
    *,
    path: str,
    href: Callable[[Preset], str],
    row_href: Callable[[Preset], str],
    actions: Sequence[RowAction[Preset]] = (),
) -> ListView:
    return list_view(
        query,
        listing,
        ListTable(
            columns=(
                Column("name", _("Name"), "name", lambda p: Cell(preset_name(p)), href=href),
                *(
                    Column(name, PERMISSION_HEADS[name], "badge", partial(_setting, name), title=label)
                    for name, label in PERMISSIONS.items()
                ),
            ),
            row_href=row_href,
            actions=actions,
            texts=ListTexts(
                caption=_("Permission presets"),
                nothing_yet_title=_("No presets yet."),
                nothing_yet_text=_("A preset is a named set of five permissions that you can apply again and again."),
                first_steps=(Link(_("Add preset"), get_path("groups:preset-create")),),
            ),
        ),
        path=path,
    )


def preset_name(preset: Preset) -> str:
    return preset.name if preset.is_readable else _("Unreadable")


def _page(preset: Preset, path: str) -> str:
    """Return the page that edits a preset; one that can't be read anymore can only be deleted."""
    return f"{path}/{preset.id}/{'edit' if preset.is_readable else 'delete'}"


def _setting(name: str, preset: Preset) -> Cell:
    if name not in preset.settings:
        return Cell("")
    is_on = preset.settings[name] == ON
    return Cell(_("On") if is_on else _("Off"), tone="success" if is_on else "neutral")
