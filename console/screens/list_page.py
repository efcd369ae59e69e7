"""Base class of list screens, and the routes of their pages, files and bulk actions."""

from collections.abc import Callable
from datetime import tzinfo
from typing import Any, ClassVar, Generic, TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.views import View

from console.bulk.action import BulkList
from console.bulk.bar import bulk_bar, with_selection
from console.bulk.views import run_bulk, runs_step
from console.files.exporter import Export
from console.files.import_views import import_page, import_step, runs_import
from console.files.spec import Import
from console.files.views import export, template_file
from console.files.write import Kind
from console.forms.idempotency import idempotent
from console.lists.answers import list_json
from console.lists.preferences import read_query
from console.lists.query import ListDefinition, ListQuery
from console.lists.view import ListView
from console.screens.selection_export import export_selection
from console.web import paths  # noqa: F401 - registers <xlsx:…>
from console.web.access import private
from console.web.request import ConsoleRequest, get_tz, wants_json
from console.web.responses import show
from upstream.listing import Identified, Listing

T = TypeVar("T", bound=Identified)


class ListPage(View, Generic[T]):
    """The screen of one list: a page for browsers, and JSON for its island.

    `load` reads everything that the page shows, and `rows` turns it into the list. Further data is stored in attributes
    for `rows` and `context`. The IDs of the URL are in `kwargs`, which `bulk`, `exports` and `imports` get, too.
    """

    definition: ClassVar[ListDefinition]
    template: ClassVar[str]
    bulk: ClassVar[type[BulkList[Any]] | None] = None
    exports: ClassVar[type[Export[Any]] | None] = None
    imports: ClassVar[Callable[..., Import] | None] = None
    request: ConsoleRequest

    def get(self, request: HttpRequest, **kwargs: str) -> HttpResponse:
        query = read_query(self.request, self.get_definition())
        listing, query = self.load(query)
        table = self.rows(query, listing)
        bar = None
        if self.bulk:
            bulk_list = self.bulk(self.request, **kwargs)
            bar = bulk_bar(bulk_list, query, table.total, is_exported=self.exports is not None)
        if wants_json(request):
            return list_json(request, with_selection(table, bar) if bar else table)
        return show(request, self.template, list=table, bulk=bar, **self.context())

    @property
    def tz(self) -> tzinfo:
        return get_tz(self.request)

    def get_definition(self) -> ListDefinition:
        return self.definition

    def load(self, query: ListQuery) -> tuple[Listing[T], ListQuery]:
        """Return the rows of the query, and the query with the choices of its filters."""
        raise NotImplementedError

    def rows(self, query: ListQuery, listing: Listing[T]) -> ListView:
        raise NotImplementedError

    def context(self) -> dict[str, Any]:
        """Return the page's context in addition to the list."""
        return {}


def list_urls(noun: str, page: type[ListPage[Any]], route: str = "") -> list[URLPattern]:
    """Return the routes of a list screen: `route` begins their paths, and `noun` the names of the URLs."""
    return [
        path(route, private(page.as_view()), name=f"{noun}-list"),
        *(export_urls(noun, page.exports, route, page.bulk) if page.exports else ()),
        *(_import_urls(noun, page.imports, route) if page.imports else ()),
        *(_bulk_urls(noun, page.bulk, route) if page.bulk else ()),
    ]


def export_urls(
    noun: str, exports: type[Export[Any]], route: str, bulk: type[BulkList[Any]] | None = None
) -> list[URLPattern]:
    """Return the routes of a list's export files; a POST exports the selected rows of `bulk`."""

    @private(methods=("GET", "POST") if bulk else ("GET",), is_page=False)
    def list_export(request: ConsoleRequest, kind: Kind = "csv", **kwargs: str) -> HttpResponseBase:
        source = exports(request, **kwargs)
        if bulk and request.method == "POST":
            return export_selection(request, source, kind, bulk(request, **kwargs))
        return export(request, source, kind)

    return [path(f"{route}/export{kind}", list_export, name=f"{noun}-export") for kind in ("", "/<xlsx:kind>")]


def _import_urls(noun: str, imports: Callable[..., Import], route: str) -> list[URLPattern]:
    @private(methods=("GET", "POST"))
    @idempotent(writes=runs_import)
    def list_import(request: ConsoleRequest, **kwargs: str) -> HttpResponse:
        return import_page(request, imports(request, **kwargs))

    @private(methods=("GET", "POST"))
    def list_import_step(request: ConsoleRequest, import_id: str, step: str, **kwargs: str) -> HttpResponse:
        return import_step(request, imports(request, **kwargs), import_id, step)

    @private(is_page=False)
    def template_export(request: ConsoleRequest, **kwargs: str) -> HttpResponse:
        return template_file(imports(request, **kwargs))

    return [
        path(f"{route}/import", list_import, name=f"{noun}-import"),
        path(f"{route}/import/<str:import_id>/<str:step>", list_import_step, name=f"{noun}-import-step"),
        path(f"{route}/import/template", template_export, name=f"{noun}-template-export"),
    ]


def _bulk_urls(noun: str, bulk: type[BulkList[Any]], route: str) -> list[URLPattern]:
    @private(methods=("GET", "POST"))
    @idempotent(writes=runs_step, keeps_format=True)
    def bulk_run(request: ConsoleRequest, action: str, **kwargs: str) -> HttpResponse:
        return run_bulk(request, bulk(request, **kwargs), action)

    return [path(f"{route}/bulk/<str:action>", bulk_run, name=f"{noun}-bulk-run")]
