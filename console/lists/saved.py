"""What is saved of a list: what it shows, under names; `console.lists.stored_views` keeps it."""

import msgspec


class ListState(msgspec.Struct, frozen=True):
    """What the list at `path` shows: its query, which says the page size, too, and the columns that are hidden."""

    path: str
    query: str
    hidden: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


class View(msgspec.Struct, frozen=True):
    """A saved view. The default one is what its list shows when it is opened without a query."""

    id: str
    name: str
    state: ListState
    is_default: bool


class Views(msgspec.Struct, frozen=True):
    """Those of one list, the default one first; not `is_read` where they could not be."""

    views: tuple[View, ...] = ()
    is_read: bool = True

    @property
    def default(self) -> View | None:
        return next((view for view in self.views if view.is_default), None)
