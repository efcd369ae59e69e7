"""The address at which the columns of a list are chosen, as its form and its saved views do."""

from urllib.parse import urlencode

from console.lists.query import ListDefinition

OFFERED, VISIBLE, QUERY = "columns", "column", "list_query"
"""In the URL: the columns that could be chosen, each of them that was, and the query of the list, which stays."""


def choosing(address: str, definition: ListDefinition, hidden: frozenset[str]) -> str:
    """Return the address that hides these columns and leads on to another address of the list, as the form does."""
    path, _, query = address.partition("?")
    visible = [(VISIBLE, name) for name in definition.columns if name not in hidden]
    return f"{path}?{urlencode([(QUERY, query), (OFFERED, '.'.join(definition.columns)), *visible])}"
