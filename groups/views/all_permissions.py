"""The permissions of all clinics in one table: compared, exported, changed together."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from console.lists.query import ListQuery, read_list
from console.lists.view import ListView, with_facts
from console.screens.list_page import ListPage
from console.web.request import wants_json
from console.web.responses import show
from groups.bulk.clinics import PermissionActions
from groups.files.clinics import PermissionExport
from groups.links.permissions import all_permission_files
from groups.reading import ComparedClinics
from groups.tables.all_permissions import ALL_PERMISSIONS, all_permission_table, compared_with
from upstream.errors import NotOffered
from upstream.listing import Listing
from upstream.resources.clinics import ClinicSettings


class AllPermissionList(ListPage[ClinicSettings]):
    definition = ALL_PERMISSIONS
    template = "groups/all_permission_list.html"
    bulk = PermissionActions
    exports = PermissionExport

    def get(self, request: HttpRequest, **kwargs: str) -> HttpResponse:
        try:
            return super().get(request, **kwargs)
        except NotOffered:
            if wants_json(request):
                raise
            return show(request, self.template, list=None)

    def load(self, query: ListQuery) -> tuple[Listing[ClinicSettings], ListQuery]:
        compared = ComparedClinics(self.request)
        listing, query = read_list(query, compared.read)
        self.comparison = compared.compared(query.params())
        return listing, query

    def rows(self, query: ListQuery, listing: Listing[ClinicSettings]) -> ListView:
        table = all_permission_table(query, listing, self.comparison, path=self.request.path)
        return with_facts(table, compared_with(self.comparison)) if self.comparison.clinics else table

    def context(self) -> dict[str, Any]:
        return {"files": all_permission_files()}
