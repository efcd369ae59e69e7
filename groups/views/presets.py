"""Permission presets of the organization: the list, and the pages to add, edit, delete and reapply one."""

from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from console.forms.confirm import ConfirmPage, Question
from console.forms.drafts import form_data_or_draft
from console.forms.form_page import refuse, show_form
from console.forms.idempotency import idempotent
from console.forms.return_url import return_url
from console.forms.submit import Problem, State, WriteTexts, edited, submit
from console.l10n.bidi import isolated
from console.lists.query import ListQuery, read_list
from console.lists.view import ListView
from console.screens.list_page import ListPage
from console.web.access import private
from console.web.paths import get_path
from console.web.request import ConsoleRequest
from console.web.responses import done, show
from groups.audit.presets import preset_action
from groups.forms.presets import PresetForm, preset_values
from groups.links.permissions import all_permissions_crumb
from groups.links.presets import preset_crumbs
from groups.models import Preset
from groups.reading import get_presets
from groups.tables.presets import PRESETS, preset_name, preset_table
from upstream.listing import Listing


class PresetList(ListPage[Preset]):
    definition = PRESETS
    template = "groups/preset_list.html"

    def load(self, query: ListQuery) -> tuple[Listing[Preset], ListQuery]:
        return read_list(query, get_presets(self.request).read)

    def rows(self, query: ListQuery, listing: Listing[Preset]) -> ListView:
        return preset_table(query, listing, path=self.request.path)

    def context(self) -> dict[str, Any]:
        return {"crumbs": [all_permissions_crumb()]}


@private(methods=("GET", "POST"))
@idempotent
def preset_create(request: ConsoleRequest) -> HttpResponse:
    form, texts = PresetForm(form_data_or_draft(request), chosen=request.GET), _texts(_("Add preset"))
    page = partial(_form_page, request, form, None)
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    outcome = submit(
        request,
        form,
        lambda _key: get_presets(request).create(form.cleaned_data["name"], form.settings()),
        texts=texts,
        entry=preset_action("create", None, form),
    )
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=_back(request))
    return done(request, goto=_back(request), message=_("Preset saved."))


@private(methods=("GET", "POST"))
@idempotent
def preset_edit(request: ConsoleRequest, preset_id: str) -> HttpResponse:
    presets = get_presets(request)
    preset = presets.get(preset_id)
    if not preset.is_readable:
        return HttpResponseRedirect(get_path("groups:preset-delete", preset.id))
    form, texts = PresetForm(form_data_or_draft(request), preset=preset), _texts(_("Edit preset"))
    page = partial(_form_page, request, form, preset)
    if request.method != "POST" or not form.is_valid():
        return show_form(request, form, page, texts)

    def update(_key: str) -> None:
        presets.update(preset.id, version=form.sent_version, name=form.cleaned_data["name"], settings=form.settings())

    def read_stored() -> State[Preset]:
        newest = presets.get(preset.id)
        return edited(form, newest, preset_values(newest))

    outcome = submit(request, form, update, texts=texts, entry=preset_action("edit", preset, form), verify=read_stored)
    # If it was used, the page offers to apply it again.
    url = request.path if presets.uses(preset.id) else _back(request)
    if isinstance(outcome, Problem):
        return refuse(request, form, outcome, page, url=url)
    return done(request, goto=url, message=_("Preset saved."))


@private(methods=("GET", "POST"))
@idempotent
def preset_delete(request: ConsoleRequest, preset_id: str) -> HttpResponse:
    presets = get_presets(request)
    preset = presets.get(preset_id)
    texts = WriteTexts(
        action=_("Delete preset"),
        failed=_("Failed to delete the preset."),
    )
    question = Question(
        _("Delete %(name)s?") % {"name": isolated(preset_name(preset))},
        [_("Permissions already set with this preset won't change.")],
        _("Delete preset"),
    )
    page = ConfirmPage(
        request,
        lambda _problem: question,
        texts,
        back=_back(request),
        crumbs=preset_crumbs(),
        version=preset.version,
    )
    if not page.is_confirmed:
        return page.show()

    outcome = submit(
        request,
        page.form,
        lambda _key: presets.delete(preset.id, version=page.form.sent_version),
        texts=texts,
        entry=preset_action("delete", preset),
    )
    if isinstance(outcome, Problem):
        return page.refuse(outcome)
    return done(request, goto=_back(request), message=_("Preset deleted."))


def _texts(action: str) -> WriteTexts:
    return WriteTexts(action=action, failed=_("Failed to save the preset."))


def _form_page(
    request: ConsoleRequest,
    form: PresetForm,
    preset: Preset | None,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    """Show the form of a new or an existing preset, with the clinics and users to apply an existing one to again."""
    uses: dict[str, Any] = get_presets(request).uses(preset.id) if preset else {}
    return show(
        request,
        "groups/preset_form.html",
        status=status,
        problem=problem,
        form=form,
        preset=preset,
        clinics=uses.get("clinic", []),
        users=uses.get("user", []),
        crumbs=preset_crumbs(),
        back=_back(request),
    )


def _back(request: ConsoleRequest) -> str:
    return return_url(request, get_path("groups:preset-list"))
