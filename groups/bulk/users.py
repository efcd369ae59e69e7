"""What can be done to many users at once: of a clinic, or of all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext, ngettext, npgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from console.audit.content import Ref
from console.bulk.action import ActionTexts, BulkAction, BulkList, Candidate, SelectionTexts
from console.bulk.job import sign_query
from console.forms.blockers import NextStep, reason_texts
from console.lists.query import Choice, ListQuery
from console.web.request import ConsoleRequest
from groups import links
from groups.activity import chosen_permissions, to_other_clinic, to_other_team, to_other_type
from groups.bulk.presets import note_preset, offered_presets
from groups.forms.bulk import (
    ClinicOptionForm,
    PermissionOptionsForm,
    TeamOptionForm,
    TypeOptionForm,
    team_of,
    user_changes,
)
from groups.islands import permission_choices
from groups.labels import REFUSALS, person
from groups.reading import every_clinic, every_team, every_user
from groups.tables.users import ALL_USERS, USERS
from upstream.bulk import BulkResult
from upstream.errors import Code
from upstream.resources.users import User

USER_TEXTS = SelectionTexts(
    selected=lambda n: ngettext("%(count)s user selected", "%(count)s users selected", n),
    # Translators: follows "1 user can't be deleted." or "1 invitation can't be resent.": a form for both.
    others=lambda n: npgettext("users", "%(count)s other can.", "The other %(count)s can.", n),
    changed=lambda n: ngettext(
        "The list has changed since you selected %(count)s user. Check who is included now.",
        "The list has changed since you selected %(count)s users. Check who is included now.",
        n,
    ),
    nothing=_("Select at least one user first."),
    all_gone=_("The selected users no longer exist."),
    gone=_("This user no longer exists."),
    again=_("Select the users again."),
    too_many_title=_("Too many users selected"),
    too_many=lambda n: ngettext(
        "At most %(count)s user can be selected at once. Narrow the list by a search or a filter.",
        "At most %(count)s users can be selected at once. Narrow the list by a search or a filter.",
        n,
    ),
)

DELETE = ActionTexts(
    label=_("Delete"),
    title=_("Delete users"),
    button=lambda n: ngettext("Delete %(count)s user", "Delete %(count)s users", n),
    # Translators: heading above a list of users, of any gender.
    planned=pgettext_lazy("users", "Will be deleted"),
    cannot=lambda n: ngettext("%(count)s user can't be deleted.", "%(count)s users can't be deleted.", n),
    done=lambda n: ngettext("%(count)s user deleted.", "%(count)s users deleted.", n),
    not_done=lambda n: ngettext("%(count)s user was not deleted.", "%(count)s users were not deleted.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s user was deleted.",
        "It is not known whether %(count)s users were deleted.",
        n,
    ),
    failed=_("Failed to delete the user."),
    unknown=_("It is not known whether this user was deleted."),
)

MOVE_TO_TEAM = ActionTexts(
    label=_("Move to a team"),
    title=_("Move users to a team"),
    button=lambda n: ngettext("Move %(count)s user", "Move %(count)s users", n),
    # Translators: heading above a list of users, of any gender.
    planned=_("Will be moved"),
    cannot=lambda n: ngettext("%(count)s user can't be moved.", "%(count)s users can't be moved.", n),
    done=lambda n: ngettext("%(count)s user moved.", "%(count)s users moved.", n),
    not_done=lambda n: ngettext("%(count)s user was not moved.", "%(count)s users were not moved.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s user was moved.", "It is not known whether %(count)s users were moved.", n
    ),
    failed=_("Failed to update the user."),
    unknown=_("It is not known whether this user was moved."),
)

MOVE_TO_CLINIC = replace(MOVE_TO_TEAM, label=_("Move to a clinic"), title=_("Move users to another clinic"))

TYPE = ActionTexts(
    label=_("Change type"),
    title=_("Change the type of users"),
    button=lambda n: ngettext("Change type of %(count)s user", "Change type of %(count)s users", n),
    # Translators: heading above a list of users, of any gender.
    planned=pgettext_lazy("users", "Will be changed"),
    done=lambda n: ngettext("Type of %(count)s user changed.", "Type of %(count)s users changed.", n),
    not_done=lambda n: ngettext(
        "The type of %(count)s user was not changed.", "The type of %(count)s users was not changed.", n
    ),
    unsure=lambda n: ngettext(
        "It is not known whether the type of %(count)s user was changed.",
        "It is not known whether the type of %(count)s users was changed.",
        n,
    ),
    failed=_("Failed to update the user."),
    unknown=_("It is not known whether the type of this user was changed."),
)

PERMISSIONS = ActionTexts(
    label=_("Change permissions"),
    title=_("Change permissions of users"),
    button=lambda n: ngettext("Change permissions of %(count)s user", "Change permissions of %(count)s users", n),
    planned=pgettext_lazy("users", "Will be changed"),
    done=lambda n: ngettext("Permissions of %(count)s user changed.", "Permissions of %(count)s users changed.", n),
    not_done=lambda n: ngettext(
        "The permissions of %(count)s user were not changed.",
        "The permissions of %(count)s users were not changed.",
        n,
    ),
    unsure=lambda n: ngettext(
        "It is not known whether the permissions of %(count)s user were changed.",
        "It is not known whether the permissions of %(count)s users were changed.",
        n,
    ),
    failed=_("Failed to update the permissions."),
    unknown=_("It is not known whether the permissions of this user were changed."),
)

RESEND = ActionTexts(
    label=_("Resend invitations"),
    title=_("Resend invitations"),
    button=lambda n: ngettext("Resend %(count)s invitation", "Resend %(count)s invitations", n),
    # Translators: heading above a list of invitations.
    planned=_("Will be resent"),
    cannot=lambda n: ngettext("%(count)s invitation can't be resent.", "%(count)s invitations can't be resent.", n),
    done=lambda n: ngettext("%(count)s invitation resent.", "%(count)s invitations resent.", n),
    not_done=lambda n: ngettext("%(count)s invitation was not resent.", "%(count)s invitations were not resent.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s invitation was resent.",
        "It is not known whether %(count)s invitations were resent.",
        n,
    ),
    failed=_("Failed to send the invitation."),
    unknown=_("It is not known whether this invitation was resent."),
)

CANCEL = ActionTexts(
    label=_("Cancel invitations"),
    title=_("Cancel invitations"),
    button=lambda n: ngettext("Cancel %(count)s invitation", "Cancel %(count)s invitations", n),
    # Translators: heading above a list of invitations.
    planned=pgettext_lazy("invitations", "Will be canceled"),
    cannot=lambda n: ngettext("%(count)s invitation can't be canceled.", "%(count)s invitations can't be canceled.", n),
    done=lambda n: ngettext("%(count)s invitation canceled.", "%(count)s invitations canceled.", n),
    not_done=lambda n: ngettext(
        "%(count)s invitation was not canceled.", "%(count)s invitations were not canceled.", n
    ),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s invitation was canceled.",
        "It is not known whether %(count)s invitations were canceled.",
        n,
    ),
    failed=_("Failed to cancel the invitation."),
    unknown=_("It is not known whether this invitation was canceled."),
)


LOCK = ActionTexts(
    label=_("Lock"),
    title=_("Lock users"),
    button=lambda n: ngettext("Lock %(count)s user", "Lock %(count)s users", n),
    # Translators: heading above a list of users, of any gender.
    planned=_("Will be locked"),
    cannot=lambda n: ngettext("%(count)s user can't be locked.", "%(count)s users can't be locked.", n),
    done=lambda n: ngettext("%(count)s user locked.", "%(count)s users locked.", n),
    not_done=lambda n: ngettext("%(count)s user was not locked.", "%(count)s users were not locked.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s user was locked.",
        "It is not known whether %(count)s users were locked.",
        n,
    ),
    failed=_("Failed to lock the user."),
    unknown=_("It is not known whether this user was locked."),
)

UNLOCK = ActionTexts(
    label=_("Unlock"),
    title=_("Unlock users"),
    button=lambda n: ngettext("Unlock %(count)s user", "Unlock %(count)s users", n),
    # Translators: heading above a list of users, of any gender.
    planned=_("Will be unlocked"),
    cannot=lambda n: ngettext("%(count)s user can't be unlocked.", "%(count)s users can't be unlocked.", n),
    done=lambda n: ngettext("%(count)s user unlocked.", "%(count)s users unlocked.", n),
    not_done=lambda n: ngettext("%(count)s user was not unlocked.", "%(count)s users were not unlocked.", n),
    unsure=lambda n: ngettext(
        "It is not known whether %(count)s user was unlocked.",
        "It is not known whether %(count)s users were unlocked.",
        n,
    ),
    failed=_("Failed to unlock the user."),
    unknown=_("It is not known whether this user was unlocked."),
)


def user_bulk(request: ConsoleRequest, clinic_id: str = "") -> BulkList[User]:
    """Return what can be done to the users of a clinic, or of all; nothing is read for it."""
    upstream, path = request.upstream, links.user_list_url(clinic_id)
    scope = {"clinic_id": clinic_id} if clinic_id else {"organization_id": request.admin.organization_id}
    return BulkList(
        id="bulk-users",
        path=path,
        pages="" if clinic_id else "/user/",
        definition=USERS if clinic_id else ALL_USERS,
        texts=USER_TEXTS,
        read=lambda params: upstream.users.list(params, **scope),
        candidate=lambda user: Candidate(
            user.id,
            user.name,
            user.email,
            "" if clinic_id else user.clinic_id,
            clinic=Ref(user.clinic_id, user.clinic_name),
        ),
        belongs=lambda user: clinic_id in ("", user.clinic_id),
        back=lambda request: links.back_from_moving(request, clinic_id),
        kind="user",
        actions=_actions(request, clinic_id),
        check=(lambda: upstream.clinics.get(clinic_id)) if clinic_id else lambda: None,
    )


def move_step(request: ConsoleRequest, clinic_id: str, *, back: str, team_id: str = "") -> Callable[[int], NextStep]:
    """Make the step from a deletion that users prevent to the plan that moves all of them, as their list would."""
    users = user_bulk(request, clinic_id)
    query = ListQuery.read(users.definition, QueryDict(urlencode({"team": team_id} if team_id else {})))

    def step(count: int) -> NextStep:
        return NextStep(
            ngettext("Move %(count)s user", "Move %(count)s users", count) % {"count": count},
            f"{users.path}/bulk/{'move' if team_id else 'move-to-clinic'}",
            {"all": "1", "query": sign_query(request, users, query, count), "back": back},
        )

    return step


def _actions(request: ConsoleRequest, clinic_id: str) -> Sequence[BulkAction[User]]:
    """The actions in their order in the bar; only the users of one clinic can be moved to a team, which is one of its.

    What can be chosen is read when the form of an action is drawn.
    """
    upstream = request.upstream

    def teams() -> list[Choice]:
        return [Choice(team.id, team.called) for team in every_team(upstream, clinic_id)]

    def other_clinics() -> list[Choice]:
        """Where people can be moved to: not to the clinic that all of them are in."""
        clinics = every_clinic(upstream, request.admin.organization_id)
        return [Choice(clinic.id, clinic.called) for clinic in clinics if clinic.id != clinic_id]

    def people() -> list[Choice]:
        """Whose permissions can be copied: these may follow their clinic, so it is one of the same."""
        return [Choice(user.id, person(user)) for user in every_user(upstream, clinic_id)] if clinic_id else []

    def settings(user_id: str) -> dict[str, str]:
        return permission_choices(upstream.permissions.of_user(user_id), can_inherit=True)

    def set_permissions(ids: Sequence[str], options: Mapping[str, str], key: str) -> BulkResult:
        result = upstream.users.bulk_permissions(ids, changes=user_changes(options), idempotency_key=key)
        note_preset(request, "user", options, result)
        return result

    def page(id: str, of: str, back: str) -> str:
        """A user's page tells what stands in the way of a deletion, and leads to all that can be done."""
        return links.user_links(clinic_id or of, id, back=back).get("show", "")

    to_team: BulkAction[User] = BulkAction(
        "move",
        MOVE_TO_TEAM,
        run=lambda ids, options, key: upstream.users.bulk_update(ids, team_id=team_of(options), idempotency_key=key),
        activity="move",
        noted=to_other_team,
        was=lambda user: Ref(user.team_id or "", user.team_name or ""),
        form=lambda data: TeamOptionForm(data, teams=teams()),
    )

    def setting_lock(
        name: str, texts: ActionTexts, blockers: Callable[[User], list[str]], *, locked: bool
    ) -> BulkAction[User]:
        return BulkAction(
            name,
            texts,
            run=lambda ids, _options, key: upstream.users.bulk_set_locked(ids, locked, idempotency_key=key),
            activity="lock" if locked else "unlock",
            blockers=blockers,
            solved_at=page,
            is_offered=can_be_locked,
        )

    can_be_locked = upstream.users.can_be_locked
    to_clinic: BulkAction[User] = BulkAction(
        "move-to-clinic",
        MOVE_TO_CLINIC,
        run=lambda ids, options, key: upstream.users.bulk_update(ids, clinic_id=options["clinic"], idempotency_key=key),
        activity="move",
        noted=to_other_clinic,
        form=lambda data: ClinicOptionForm(data, clinics=other_clinics()),
        blockers=lambda user: reason_texts(user.move_blockers),
        solved_at=page,
    )
    change_type: BulkAction[User] = BulkAction(
        "type",
        TYPE,
        run=lambda ids, options, key: upstream.users.bulk_update(
            ids, user_type=options["user_type"], idempotency_key=key
        ),
        activity="edit",
        noted=to_other_type,
        was=lambda user: Ref(user.user_type),
        form=TypeOptionForm,
    )
    delete: BulkAction[User] = BulkAction(
        "delete",
        DELETE,
        run=lambda ids, _options, key: upstream.users.bulk_delete(ids, idempotency_key=key),
        activity="delete",
        blockers=lambda user: reason_texts(user.delete_blockers),
        solved_at=page,
        deletes=True,
        tone="danger",
    )
    # The first ones are seen in the bar, the others in its menu; what destroys comes last.
    return (
        *((to_team,) if clinic_id else ()),
        to_clinic,
        change_type,
        BulkAction(
            "permissions",
            PERMISSIONS,
            run=set_permissions,
            activity="permissions",
            noted=chosen_permissions,
            form=lambda data: PermissionOptionsForm(
                data, can_inherit=True, people=people(), settings=settings, **offered_presets(request)
            ),
        ),
        BulkAction(
            "resend",
            RESEND,
            run=lambda ids, _options, key: upstream.users.bulk_resend_invitation(ids, idempotency_key=key),
            activity="resend",
            blockers=_has_no_invitation,
            solved_at=page,
        ),
        setting_lock("lock", LOCK, _is_not_active, locked=True),
        setting_lock("unlock", UNLOCK, _is_not_locked, locked=False),
        BulkAction(
            "cancel",
            CANCEL,
            run=lambda ids, _options, _key: upstream.users.bulk_cancel_invitation(ids),
            activity="cancel",
            blockers=_has_no_invitation,
            solved_at=page,
            deletes=True,
        ),
        delete,
    )


def _is_not_active(user: User) -> list[str]:
    return [] if user.is_active else [gettext("Only active users can be locked.")]


def _is_not_locked(user: User) -> list[str]:
    return [] if user.is_locked else [gettext("Only locked users can be unlocked.")]


def _has_no_invitation(user: User) -> list[str]:
    return [] if user.is_invited else [str(REFUSALS[Code.NOT_INVITED])]
