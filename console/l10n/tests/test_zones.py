"""Time zones by city and country."""

import pytest
from django.utils import translation

from console.l10n.zones import zone_name, zones


@pytest.mark.parametrize(
    ("zone", "name"),
    [
        ("Asia/Seoul", "Seoul, South Korea"),
        ("Asia/Singapore", "Singapore"),
        ("Asia/Calcutta", "Kolkata, India"),
        ("UTC", "UTC"),
        ("Etc/UTC", "UTC"),
        ("Etc/GMT+3", "GMT+3"),
        ("Antarctica/Troll", "Troll"),
    ],
)
def test_a_zone_is_named_by_its_city_and_country(zone, name):
    assert zone_name(zone) == name


@pytest.mark.parametrize("language", ["en-us", "de", "ar"])
def test_the_zones_to_choose_from_are_cities_and_utc(language):
    with translation.override(language):
        names = [name for _zone, name in zones()]
        assert [name for name in names if name.startswith("GMT") or "UTC" in name] == ["UTC"]
        assert len(set(names)) == len(names) > 300
