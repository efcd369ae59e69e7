"""A list screen: one class for its page and its JSON, and one line for its routes."""

from typing import Any, ClassVar, Generic, TypeVar

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.views import View

from console.lists.answers import list_json
from console.lists.page_size import read_query
from console.lists.query import ListDefinition, ListQuery
from console.lists.view import ListView
from console.web.access import private
from console.web.request import ConsoleRequest, wants_json
from console.web.responses import show
from upstream.listing import Identified, Listing

T = TypeVar("T", bound=Identified)


class ListPage(View, Generic[T]):
    """The screen of one list: a page for browsers, and JSON for its island.

    `load` reads everything that the page shows, and `rows` turns it into the list. What else was read is kept as
    attributes for `rows` and `context`.
    """

    definition: ClassVar[ListDefinition]
    template: ClassVar[str]
    request: ConsoleRequest

    def get(self, request: HttpRequest, **kwargs: str) -> HttpResponse:
        query = read_query(self.request, self.get_definition())
        listing, query = self.load(query)
        table = self.rows(query, listing)
        if wants_json(request):
            return list_json(request, table)
        return show(request, self.template, list=table, **self.context())

    def get_definition(self) -> ListDefinition:
        return self.definition

    def load(self, query: ListQuery) -> tuple[Listing[T], ListQuery]:
        """Return the rows of the query, and the query with the choices of its filters."""
        raise NotImplementedError

    def rows(self, query: ListQuery, listing: Listing[T]) -> ListView:
        """Return the list as it is shown."""
        raise NotImplementedError

    def context(self) -> dict[str, Any]:
        """Return what the page shows besides the list."""
        return {}


def list_urls(noun: str, page: type[ListPage[Any]], route: str = "") -> list[URLPattern]:
    """Return the routes of a list screen: `route` begins their paths, and `noun` the names of the URLs."""
    return [path(route, private(page.as_view()), name=f"{noun}-list")]
