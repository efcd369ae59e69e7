"""The URL of the provider's usage dashboard, wherever the service stores it."""

from contextlib import suppress

from upstream.client import Upstream
from upstream.errors import NotOffered
from upstream.resources.admins import Admin
from upstream.resources.organizations import Organization


def read_url(upstream: Upstream) -> str:
    """Return the organization's URL; "" for none."""
    if upstream.dashboards.has_url:
        with suppress(NotOffered):
            return upstream.dashboards.url(upstream.organization_id)
    return _owner(upstream).dashboard_url or ""


def store_url(upstream: Upstream, url: str) -> None:
    """Store another URL, or none ("")."""
    try:
        upstream.dashboards.set_url(upstream.organization_id, url)
    except NotOffered:
        owner = _owner(upstream)
        update = upstream.admins.update if isinstance(owner, Admin) else upstream.organizations.update
        update(owner.id, version=owner.version, dashboard_url=url or None)


def _owner(upstream: Upstream) -> Admin | Organization:
    """Return the object with the URL, for a service without a call for it: it is written where it is read."""
    admin, organization = upstream.together(
        lambda: upstream.admins.get(upstream.admin_id), lambda: upstream.organizations.get(upstream.organization_id)
    )
    return organization if organization.dashboard_url and not admin.dashboard_url else admin
