"""Saved views: the state of a list under a name, stored for one administrator.

All of it is encrypted, because a keyword may be a person's name. Views are looked up by keyed hashes.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import msgspec
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from console.config.database_errors import insert_if_absent, storing
from console.config.encryption import key_mark
from console.errors import LimitReached, NameInUse, ObjectNotFound
from console.models import OwnedRows, SavedView, SavedViewContent, row_number
from console.sessions.deferred_writes import write_if_possible
from console.sessions.identity import keyed_hash
from upstream.nouns import plain

MAX_LIST_VIEWS, MAX_VIEWS = 20, 400
"""Views of one list, and of all lists of one administrator."""
LIMIT = "SAVED_VIEW_LIMIT"
"""The reason of LimitReached."""
USED_AT_UPDATE_INTERVAL = timedelta(days=1)
"""The precision of `used_at`, by which unused views are purged."""

_LIST_SQL = 'SELECT * FROM "saved_view" WHERE owner = %s AND list = %s ORDER BY is_default DESC, id LIMIT %s'
"""Raw SQL because each page of a list reads them."""

logger = logging.getLogger(__name__)


class ListState(msgspec.Struct, frozen=True):
    """The state of the list at `path`: its query, with the page size, and its hidden columns."""

    path: str
    query: str
    hidden: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


class View(msgspec.Struct, frozen=True):
    """A saved view. A list that is opened without a query shows its default view."""

    id: str
    name: str
    state: ListState
    is_default: bool


class Views(msgspec.Struct, frozen=True):
    """The saved views of one list, the default one first; none and not `is_read` if they couldn't be read."""

    views: tuple[View, ...] = ()
    is_read: bool = True

    @property
    def default(self) -> View | None:
        return next((view for view in self.views if view.is_default), None)


class StoredViews:
    """The views of one administrator, by their keyed identity."""

    def __init__(self, owner: str) -> None:
        self._owner = owner

    def for_list(self, path: str) -> Views:
        """Read the views of a list, in one statement. A failure is only logged: the list is shown without them."""
        rows = SavedView.objects.raw(_LIST_SQL, [self._owner, self._list_key(path), MAX_LIST_VIEWS])
        try:
            read = [(_view(row), row.used_at) for row in rows]
        except DatabaseError as error:
            logger.warning("the saved views could not be read: %s", type(error).__name__)
            return Views(is_read=False)
        views, now = tuple(view for view, _used_at in read if view), timezone.now()
        if any(view and used_at < now - USED_AT_UPDATE_INTERVAL for view, used_at in read):
            mine = self._rows.filter(pk__in=[int(view.id) for view in views])
            write_if_possible(partial(mine.update, used_at=now))
        return Views(views)

    def get(self, id: str) -> View:
        """Read one view. Raises ObjectNotFound, also for one that can't be decrypted any more."""
        if view := _view(self._rows.find(id)):
            return view
        raise ObjectNotFound("a saved view that can't be decrypted")

    def save(self, name: str, state: ListState, *, is_default: bool, replaces: bool = False) -> None:
        """Store the state of a list under a name; storing the same again changes nothing.

        Raises LimitReached, and NameInUse if another view has the name and `replaces` is false.
        """
        content = _content(name, state)
        with _changes():
            rows = self._list_rows(state.path)
            same = rows.filter(name_key=self._name_key(state.path, name)).first()
            if same is None:
                self._check_space(rows)
                list_key, name_key = self._list_key(state.path), self._name_key(state.path, name)
                row = SavedView(owner=self._owner, list=list_key, name_key=name_key, content=content)
                if not insert_if_absent(row):  # another request took the name at the same moment
                    raise _name_in_use()
                same = rows.get(name_key=name_key)
            elif replaces or ((view := _view(same)) and view.state == state):
                rows.filter(pk=same.pk).update(content=content, key_mark=key_mark(), used_at=timezone.now())
            else:
                raise _name_in_use()
            self._set_default(same.pk, state.path, is_default=is_default)

    def update(self, id: str, *, name: str, is_default: bool) -> None:
        """Rename a view, and make it the default one or not. Raises ObjectNotFound and NameInUse."""
        with _changes():
            view = self.get(id)
            content = _content(name, view.state)
            name_key = self._name_key(view.state.path, name)
            if self._list_rows(view.state.path).filter(name_key=name_key).exclude(pk=row_number(id)).exists():
                raise _name_in_use()
            rows = self._rows.filter(pk=row_number(id))
            rows.update(name_key=name_key, content=content, key_mark=key_mark())
            self._set_default(row_number(id), view.state.path, is_default=is_default)

    def delete(self, id: str) -> None:
        """Delete a view. Raises ObjectNotFound."""
        with _changes():
            if not self._rows.filter(pk=row_number(id)).delete()[0]:
                raise ObjectNotFound("no such saved view")

    def _check_space(self, rows: OwnedRows[SavedView]) -> None:
        """Raise LimitReached if there are enough; views that can't be decrypted any more are deleted first."""
        if rows.count() < MAX_LIST_VIEWS and self._rows.count() < MAX_VIEWS:
            return
        self._rows.filter(pk__in=[row.pk for row in self._rows if row.content is None]).delete()
        if rows.count() >= MAX_LIST_VIEWS or self._rows.count() >= MAX_VIEWS:
            raise LimitReached(reason=LIMIT)

    def _set_default(self, pk: int, path: str, *, is_default: bool) -> None:
        """Set whether a view is the default one, of which a list has at most one."""
        rows = self._list_rows(path)
        rows.filter(pk=pk).update(is_default=is_default)
        if is_default:
            rows.exclude(pk=pk).update(is_default=False)

    @property
    def _rows(self) -> OwnedRows[SavedView]:
        return SavedView.objects.for_owner(self._owner)

    def _list_rows(self, path: str) -> OwnedRows[SavedView]:
        return self._rows.filter(list=self._list_key(path))

    def _list_key(self, path: str) -> str:
        return keyed_hash("saved views", self._owner, path)

    def _name_key(self, path: str, name: str) -> str:
        return keyed_hash("saved view", self._owner, path, plain(name))


def _content(name: str, state: ListState) -> SavedViewContent:
    return SavedViewContent(name, state.path, state.query, state.hidden)


def _view(row: SavedView) -> View | None:
    """Return a row as a view; None if it can't be decrypted any more: the purge deletes it."""
    content = row.content
    if content is None:
        return None
    return View(str(row.pk), content.name, ListState(content.path, content.query, content.hidden), row.is_default)


@contextmanager
def _changes() -> Iterator[None]:
    with storing("a saved view could not be stored"):
        try:
            with transaction.atomic():
                yield
        except IntegrityError as error:
            raise _name_in_use() from error


def _name_in_use() -> NameInUse:
    return NameInUse("name")
