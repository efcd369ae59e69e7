"""The kinds of domain data: each is kept under its number, and read by its name."""

import pytest

from upstream.resources.regions import DomainKind, Region

KINDS = [
    pytest.param(DomainKind.PUSH, 3, marks=pytest.mark.req("EN-27")),
    pytest.param(DomainKind.SHARE, 4, marks=pytest.mark.req("EN-28")),
    pytest.param(DomainKind.DASHBOARD, 5, marks=pytest.mark.req("EN-29")),
    pytest.param(DomainKind.LAUNCHER, 6, marks=pytest.mark.req("EN-30")),
    pytest.param(DomainKind.WEBHOOK, 7, marks=pytest.mark.req("EN-31")),
    pytest.param(DomainKind.OPEN_API, 8, marks=pytest.mark.req("EN-32")),
]


@pytest.mark.parametrize(("kind", "number"), KINDS)
def test_an_address_is_found_by_its_kind(kind, number):
    region = Region(domain_urls={str(n): f"https://kind{n}.example" for n in range(1, 9) if n != number})
    assert region.url(kind) == ""
    region = Region(domain_urls={**region.domain_urls, str(number): "https://this.example"})
    assert region.url(kind) == "https://this.example"
