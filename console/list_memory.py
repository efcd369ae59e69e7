"""The page size that somebody chose for a list stays chosen for that list (conformance CO-16)."""

from console.http import ConsoleRequest
from console.lists import DEFAULT_SIZE, PAGE_SIZES, ListDefinition, ListQuery

SIZES = "sizes"
"""Name in the session's data: list name -> page size."""


def read_query(request: ConsoleRequest, definition: ListDefinition) -> ListQuery:
    """The query of this request, with the remembered page size; a size in the URL is remembered from now on."""
    sizes: dict[str, int] = request.session.get(SIZES, {})
    remembered = sizes.get(definition.name, DEFAULT_SIZE)
    query = ListQuery.read(definition, request.GET, remembered_size=remembered)
    if query.size != remembered and query.size in PAGE_SIZES:
        request.session[SIZES] = {**sizes, definition.name: query.size}
    return query
