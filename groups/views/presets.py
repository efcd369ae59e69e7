"""Permission presets of the organization: the list, add, edit, delete, and where one is applied again."""

from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from console.access import private
from console.forms.confirm import Question, confirm
from console.forms.drafts import typed
from console.forms.return_url import return_url
from console.forms.submit import Problem, State, WriteTexts, edited
from console.forms.write import save
from console.http import ConsoleRequest, wants_json
from console.lists.page_size import read_query
from console.lists.query import read_list
from console.paths import path_of
from console.respond import list_json, show
from console.text.bidi import isolated
from groups import links
from groups.activity import preset_act
from groups.forms.presets import PresetForm, values_of
from groups.models import Preset
from groups.reading import presets_of
from groups.tables.presets import PRESETS, name_of, preset_table


@private
def preset_list(request: ConsoleRequest) -> HttpResponse:
    listing, query = read_list(read_query(request, PRESETS), presets_of(request).read)
    shown = preset_table(query, listing, path=request.path)
    if wants_json(request):
        return list_json(request, shown)
    return show(request, "groups/preset_list.html", list=shown, crumbs=[links.all_permissions_crumb()])


@private(methods=("GET", "POST"))
def preset_create(request: ConsoleRequest) -> HttpResponse:
    form = PresetForm(typed(request))
    return save(
        request,
        form,
        act=lambda _key: presets_of(request).create(form.cleaned_data["name"], form.settings()),
        activity=lambda: preset_act("create", None, form),
        texts=_texts(),
        goto=lambda: _back(request),
        page=partial(_form_page, request, form, None),
    )


@private(methods=("GET", "POST"))
def preset_edit(request: ConsoleRequest, preset_id: str) -> HttpResponse:
    presets = presets_of(request)
    preset = presets.get(preset_id)
    if not preset.is_readable:
        return HttpResponseRedirect(path_of("groups:preset-delete", preset.id))
    form = PresetForm(typed(request), preset=preset)

    def update(_key: str) -> None:
        presets.update(preset.id, version=form.seen, name=form.cleaned_data["name"], settings=form.settings())

    def check() -> State[Preset]:
        newest = presets.get(preset.id)
        return edited(form, newest, values_of(newest))

    return save(
        request,
        form,
        act=update,
        activity=lambda: preset_act("edit", preset, form),
        check=check,
        texts=_texts(),
        # Where it was used is offered to be put right next.
        goto=lambda: request.path if presets.uses(preset.id) else _back(request),
        page=partial(_form_page, request, form, preset),
    )


@private(methods=("GET", "POST"))
def preset_delete(request: ConsoleRequest, preset_id: str) -> HttpResponse:
    presets = presets_of(request)
    preset = presets.get(preset_id)
    return confirm(
        request,
        lambda _problem: Question(
            _("Delete %(name)s?") % {"name": isolated(name_of(preset))},
            [_("The permissions that it was used for stay as they are.")],
            _("Delete preset"),
        ),
        act=lambda _key, version: presets.delete(preset.id, version=version),
        activity=lambda: preset_act("delete", preset),
        texts=WriteTexts(
            done=_("Preset deleted."),
            failed=_("Failed to delete the preset."),
            unknown=_("It is not known whether the preset was changed. Look at the presets before you try again."),
        ),
        back=_back(request),
        crumbs=links.preset_crumbs(),
        version=preset.version,
    )


def _texts() -> WriteTexts:
    return WriteTexts(
        done=_("Preset saved."),
        failed=_("Failed to save the preset."),
        unknown=_("It is not known whether the preset was changed. Look at the presets before you try again."),
    )


def _form_page(
    request: ConsoleRequest,
    form: PresetForm,
    preset: Preset | None,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """The form of a new preset or of an existing one, with where that one is applied again."""
    uses: dict[str, Any] = presets_of(request).uses(preset.id) if preset else {}
    return show(
        request,
        "groups/preset_form.html",
        status=status,
        problem=problem,
        form=form,
        preset=preset,
        clinics=uses.get("clinic", []),
        users=uses.get("user", []),
        crumbs=links.preset_crumbs(),
        back=_back(request),
    )


def _back(request: ConsoleRequest) -> str:
    return return_url(request, path_of("groups:preset-list"))
