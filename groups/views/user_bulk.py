"""What can be done to many users at once: of a clinic, or of all."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from console.access import private
from console.bulk import AT_ONCE, Candidate
from console.bulk_pages import Bar, BarButton, BulkAction, answer, matching
from console.http import ConsoleRequest
from console.lists import Choice, ListQuery
from console.reasons import reason_texts
from console.returning import way_back
from console.upstream.client import Upstream
from console.upstream.errors import NotFound
from console.upstream.listing import Listing, ListParams
from console.upstream.users import User
from groups.choices import every_clinic, every_team
from groups.forms.bulk import BulkPermissionForm, ClinicMoveForm, MoveForm, TypeForm, permission_changes, team_of
from groups.tables.users import ALL_USERS, USER_TYPES, USERS
from groups.views.user_changes import with_nobody_beside

TO_TEAM, TO_CLINIC = "move", "move-to-clinic"
ONGOING = "ONGOING_ORDERED_CASE"
"""What keeps a person in their clinic."""


@private(methods=("GET", "POST"))
def user_bulk(request: ConsoleRequest, clinic_id: str, action: str) -> HttpResponse:
    upstream = request.upstream
    clinic, teams = upstream.together(
        lambda: upstream.clinics.get(clinic_id),
        lambda: every_team(upstream, clinic_id),
    )
    return _answer(request, action, clinic_id=clinic.id, teams=[Choice(team.id, team.name) for team in teams])


@private(methods=("GET", "POST"))
def all_user_bulk(request: ConsoleRequest, action: str) -> HttpResponse:
    return _answer(request, action)


def _answer(request: ConsoleRequest, action: str, *, clinic_id: str = "", teams: Sequence[Choice] = ()) -> HttpResponse:
    """An action on users of this clinic, or of all clinics, whose teams can't be chosen from."""
    upstream = request.upstream
    clinics = _other_clinics(request, clinic_id) if action == TO_CLINIC else []
    actions = _actions(upstream, teams=list(teams), clinics=clinics)
    if action not in actions or (action == TO_TEAM and not clinic_id):
        raise NotFound("no such bulk action")
    back = with_nobody_beside(way_back(request, _list_path(clinic_id)))
    query = ListQuery.read(USERS if clinic_id else ALL_USERS, QueryDict(back.partition("?")[2]))
    scope = {"clinic_id": clinic_id} if clinic_id else {"organization_id": request.admin.organization_id}

    def read(params: ListParams) -> Listing[User]:
        return upstream.users.list(params, **scope)

    def find(ids: Sequence[str]) -> list[Candidate]:
        """The chosen users that are here, in the order of the choice."""
        found = {user.id: user for user in read(ListParams(size=AT_ONCE, ids=tuple(ids))).results}
        chosen = [found[id] for id in ids if id in found]
        return [_candidate(user, action) for user in chosen if clinic_id in ("", user.clinic_id)]

    return answer(
        request,
        actions[action],
        find=find,
        all_rows=lambda: [_candidate(user, action) for user in matching(request, query, read)],
        back=back,
    )


def user_bulk_bar(clinic_id: str = "") -> Bar:
    """The bar below the list of users: of a clinic, or of all."""
    path = _list_path(clinic_id)

    def button(action: str, label: str, tone: str = "") -> BarButton:
        return BarButton(label, f"{path}/bulk/{action}", tone)

    return Bar(
        id="bulk-users",
        path=path,
        pages="" if clinic_id else "/user/",
        actions=[
            *([button(TO_TEAM, _("Move to a team"))] if clinic_id else []),
            button(TO_CLINIC, _("Move to a clinic")),
            button("type", _("Change type")),
            button("permissions", _("Change permissions")),
            button("resend", _("Resend invitations")),
            button("cancel", _("Cancel invitations")),
            button("delete", _("Delete"), "danger"),
        ],
    )


def _list_path(clinic_id: str) -> str:
    return reverse("groups:user-list", args=[clinic_id]) if clinic_id else reverse("groups:all-users")


def _other_clinics(request: ConsoleRequest, clinic_id: str) -> list[Choice]:
    """Where people can be moved to: not to the clinic that all of them are in."""
    clinics = every_clinic(request.upstream, request.admin.organization_id)
    return [Choice(c.id, c.name) for c in clinics if c.id != clinic_id]


def _actions(upstream: Upstream, *, teams: list[Choice], clinics: list[Choice]) -> dict[str, BulkAction]:
    """The actions by their names in the URL."""
    users = upstream.users
    types = [Choice(code, label) for code, label in USER_TYPES.items()]

    def posted(request: HttpRequest | None) -> QueryDict | None:
        return request.POST if request else None

    found = (
        BulkAction(
            "delete",
            _("Delete users"),
            _("Delete users"),
            _("Will be deleted"),
            _("Failed to delete the user."),
            run=lambda ids, options, key: users.bulk_delete(ids, idempotency_key=key),
            deletes=True,
        ),
        BulkAction(
            TO_TEAM,
            _("Move users to a team"),
            _("Move users"),
            _("Will be moved"),
            _("Failed to update the user."),
            run=lambda ids, options, key: users.bulk_update(ids, team_id=team_of(options), idempotency_key=key),
            form=lambda request: MoveForm(posted(request), teams=teams),
        ),
        BulkAction(
            TO_CLINIC,
            _("Move users to another clinic"),
            _("Move users"),
            _("Will be moved"),
            _("Failed to update the user."),
            run=lambda ids, options, key: users.bulk_update(ids, clinic_id=options["clinic"], idempotency_key=key),
            form=lambda request: ClinicMoveForm(posted(request), clinics=clinics),
        ),
        BulkAction(
            "type",
            _("Change the type of users"),
            _("Change type"),
            _("Will be changed"),
            _("Failed to update the user."),
            run=lambda ids, options, key: users.bulk_update(ids, user_type=options["user_type"], idempotency_key=key),
            form=lambda request: TypeForm(posted(request), types=types),
        ),
        BulkAction(
            "permissions",
            _("Change permissions of users"),
            _("Change permissions"),
            _("Will be changed"),
            _("Failed to update the permissions."),
            run=lambda ids, options, key: users.bulk_permissions(
                ids, changes=permission_changes(options), idempotency_key=key
            ),
            form=lambda request: BulkPermissionForm(posted(request), can_inherit=True),
        ),
        BulkAction(
            "resend",
            _("Resend invitations"),
            _("Resend invitations"),
            _("Will be sent again"),
            _("Failed to send the invitation."),
            run=lambda ids, options, key: users.bulk_resend_invitation(ids, idempotency_key=key),
        ),
        BulkAction(
            "cancel",
            _("Cancel invitations"),
            _("Cancel invitations"),
            _("Will be removed"),
            _("Failed to cancel the invitation."),
            run=lambda ids, options, key: users.bulk_cancel_invitation(ids),
            deletes=True,
        ),
    )
    return {action.name: action for action in found}


def _candidate(user: User, action: str) -> Candidate:
    return Candidate(user.id, user.name, user.email, tuple(_blockers(user, action)))


def _blockers(user: User, action: str) -> list[str]:
    """What stands in the way of this action, as far as it is known beforehand."""
    if action == "delete":
        return reason_texts(user.delete_blockers)
    if action == TO_CLINIC:
        return reason_texts([reason for reason in user.delete_blockers if reason.reason == ONGOING])
    if action in ("resend", "cancel") and not user.is_invited:
        return [_("This user is not waiting for an invitation.")]
    return []
