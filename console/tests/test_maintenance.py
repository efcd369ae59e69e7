"""Maintenance: announced before it starts, and the way back when it is over."""

import json
from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from console.web import maintenance
from tests.support import factories
from tests.support.reading import words

PAGE = "/user-manage/clinic?page=2&keyword=kim"


def planned(upstream, hours, **values):
    """Plan a maintenance that starts in this many hours."""
    start = timezone.now() + timedelta(hours=hours)
    notice = {
        "active": False,
        "startDate": start.isoformat(),
        "endDate": (start + timedelta(hours=2)).isoformat(),
        "reason": {"ko-KR": "서버 교체", "fr-FR": "Entretien"},
        "unavailableServices": ["ORDER"],
        **values,
    }
    upstream.answers("GET", "/v1/maintenance", {"active": False, "planned": notice})
    maintenance.clear_cache()


@pytest.mark.req("ER-07")
@pytest.mark.parametrize(("hours", "is_announced"), [(23, True), (25, False), (-1, False)])
def test_a_planned_maintenance_is_announced_on_private_pages_a_day_before(admin_client, upstream, hours, is_announced):
    upstream.has_clinic()
    planned(upstream, hours)
    page = admin_client.get("/user-manage/clinic")
    assert ("Scheduled maintenance" in words(page)) is is_announced
    assert "Scheduled maintenance" not in words(admin_client.get("/login?lng=en-US"))


@pytest.mark.req("ER-07")
def test_a_planned_maintenance_is_shown_without_an_end_and_in_an_available_language(admin_client, upstream):
    upstream.has_clinic()
    planned(upstream, 2, endDate=None)
    page = admin_client.get("/user-manage/clinic")
    assert "until further notice" in words(page)
    assert '<p lang="ko-KR"><bdi>서버 교체' in page.content.decode()
    german = admin_client.get("/user-manage/clinic", headers={"Accept-Language": "fr-FR"})
    assert '<p lang="fr-FR"><bdi>Entretien' in german.content.decode()


@pytest.mark.req("ER-07")
def test_a_silent_maintenance_service_does_not_delay_pages(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/maintenance", status=500)
    maintenance.clear_cache()
    before = len(upstream.calls("GET", "/v1/maintenance"))
    assert admin_client.get("/user-manage/clinic").status_code == 200
    admin_client.get("/user-manage/clinic")
    assert len(upstream.calls("GET", "/v1/maintenance")) == before + 1


@pytest.mark.req("ER-07")
def test_the_operators_own_plan_wins(admin_client, upstream, settings, tmp_path):
    upstream.has_clinic()
    planned(upstream, 2)
    start = (timezone.now() + timedelta(hours=3)).isoformat()
    file = tmp_path / "notice.json"
    file.write_text(
        json.dumps(
            {"active": False, "planned": {"active": False, "startDate": start, "reason": {"en-US": "New disks"}}}
        )
    )
    settings.MAINTENANCE_FILE = str(file)
    text = words(admin_client.get("/user-manage/clinic"))
    assert "New disks" in text
    assert "서버" not in text


@pytest.mark.req("ER-07")
def test_an_operators_notice_that_is_removed_and_restored_is_in_force_again(client, db, settings, tmp_path):
    file, away = tmp_path / "notice.json", tmp_path / "away.json"
    file.write_text(json.dumps({"active": True, "unavailableServices": ["LOGIN"]}))
    settings.MAINTENANCE_FILE = str(file)
    assert client.get("/login").headers.get("Location") == "/maintenance"
    file.rename(away)
    assert client.get("/login").status_code == 200
    away.rename(file)  # with the same modification time as before
    assert client.get("/login").headers.get("Location") == "/maintenance"


@pytest.mark.req("ER-07")
def test_the_page_shows_the_planned_maintenance_and_the_services_that_stop(visit, db, upstream):
    planned(upstream, 2)
    text = words(visit("/maintenance").response)
    assert "Maintenance is scheduled" in text
    assert text.count("Not available") == 1
    assert "There's no maintenance" not in text


@pytest.mark.req("ER-07")
def test_the_page_leads_back_to_the_previous_page_when_it_is_over(admin_client, upstream):
    upstream.has_clinic()
    upstream.answers("GET", "/v1/bizMainGroups", factories.refusal(18001), status=503)
    assert admin_client.get(PAGE).headers["Location"] == "/maintenance"
    html = admin_client.get("/maintenance").content.decode()
    assert 'href="/user-manage/clinic?page=2&amp;keyword=kim"' in html


@pytest.mark.req("AX-07")
@override_settings(SUPPORT_EMAIL="help@demo.example")
@pytest.mark.parametrize(
    "path",
    ["/login", "/create-account", "/user-manage/clinic", "/my-account", "/404", "/520", "/version", "/maintenance"],
)
def test_support_is_the_first_link_of_the_footer_of_every_page(admin_client, client, upstream, path):
    upstream.has_clinic()
    if path in ("/login", "/create-account"):
        client.cookies.clear()
    footer = client.get(path).content.decode().split("<footer")[1]
    assert footer.split("<a ")[1].startswith('href="mailto:help@demo.example"')


@pytest.mark.req("AX-07")
@override_settings(SUPPORT_EMAIL="help@demo.example")
def test_support_is_in_the_footer_of_the_page_of_our_own_faults_too(client, db, upstream):
    page = client.get("/", headers={"Host": "elsewhere.example"}).content.decode()
    assert page.split("<footer")[1].split("<a ")[1].startswith('href="mailto:help@demo.example"')


@pytest.mark.req("RT-21")
def test_pages_without_the_layout_do_not_offer_the_list_of_shortcuts(admin_client, upstream):
    upstream.has_clinic()
    assert "Keyboard shortcuts" in words(admin_client.get("/user-manage/clinic"))
    assert "Keyboard shortcuts" not in words(admin_client.get("/maintenance"))
