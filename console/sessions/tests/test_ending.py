"""`manage.py sessions end`: the logins that it ends here and at the service."""

import json
import re

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from msgspec.structs import replace

from console.models import Translator, TranslatorLogin
from console.sessions.logout import end_logins
from console.sessions.models import Grant, Session
from console.sessions.tests.test_identity import ME

EXPIRE = "/v2/oauth/expireToken"
PAGE = "/user-manage/clinic"
EU, KR = "https://eu.api.example", "https://kr.api.example"

pytestmark = [pytest.mark.django_db, pytest.mark.req("SEC-60"), pytest.mark.sql]


@pytest.fixture
def service(upstream):
    upstream.answers("POST", EXPIRE)
    return upstream


@pytest.fixture(autouse=True)
def locations(settings):
    settings.SERVER_LOCATIONS = [
        {"code": code, "label": code, "api_url": url} for code, url in (("EU", EU), ("KR", KR))
    ]


def log_in_as(administrator: str, organization: str, base: str = EU) -> str:
    detail = {"organizationId": organization}
    name = f"{administrator} {organization} {base[8:10]}"
    stored = replace(
        ME, adminId=administrator, adminAuthDetail=detail, domainUrls={"2": base}, refreshToken=f"refresh of {name}"
    )
    Grant.objects.create(id=name, payload=stored.encrypt(), persistent=True, admin_id_hash="")
    return name


@pytest.fixture
def logins():
    return [
        log_in_as("a-1", "o-1"),
        log_in_as("a-2", "o-1"),
        log_in_as("a-1", "o-1", KR),
        log_in_as("a-1", "o-2"),
        log_in_as("a-3", ""),
    ]


def remaining_logins():
    return sorted(Grant.objects.values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("options", "ended"),
    [
        (["--all"], {0, 1, 2, 3, 4}),
        (["--organization", "o-1"], {0, 1, 2}),
        (["--organization", "o-1", "--location", "KR"], {2}),
        (["--organization", "o-1", "--administrator", "a-1"], {0, 2}),
        (["--organization", "o-1", "--administrator", "a-1", "--location", "EU"], {0}),
        (["--organization", "o-3"], set()),
    ],
)
def test_only_the_selected_logins_end_here_and_at_the_service(service, logins, capsys, options, ended):
    call_command("sessions", "end", *options)
    assert remaining_logins() == sorted(set(logins) - {logins[number] for number in ended})
    refresh_tokens = [json.loads(call.body)["refreshToken"] for call in service.calls("POST", EXPIRE)]
    assert sorted(refresh_tokens) == sorted(f"refresh of {logins[number]}" for number in ended)
    out = capsys.readouterr().out
    assert f"{len(ended)} sessions of administrators ended\n{len(ended)} of them ended in the service, too\n" in out


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--administrator", "a-1"],
        ["--location", "EU"],
        ["--all", "--organization", "o-1"],
        ["--all", "--administrator", "a-1"],
        ["--organization", "o-1", "--location", "US"],
        ["--organization", ""],
    ],
)
def test_an_unclear_selection_ends_no_login(service, logins, options):
    with pytest.raises(CommandError, match=r"Say whose|US is none of SERVER_LOCATIONS: EU, KR"):
        call_command("sessions", "end", *options)
    assert remaining_logins() == sorted(logins)


def test_an_ended_login_leads_to_the_login_page_and_a_new_login_works(admin_client, log_in, upstream):
    upstream.has_clinic()
    assert admin_client.get(PAGE).status_code == 200
    call_command("sessions", "end", "--organization", "o-1")
    assert "reason=expired" in admin_client.get(PAGE).headers["Location"]
    log_in()
    assert admin_client.get(PAGE).status_code == 200


def test_all_ends_translators_sessions_and_unreadable_logins_too(service, logins, settings, capsys):
    translator = Translator.objects.create(name="mara", password="x")
    TranslatorLogin.objects.create(key="k", translator=translator, ends_at=timezone.now())
    Session.objects.create(session_key="s", session_data="x", expire_date=timezone.now())
    settings.GRANT_KEYS = [Fernet.generate_key().decode()]
    log_in_as("a-9", "o-9")
    settings.GRANT_KEYS = []
    call_command("sessions", "end", "--organization", "o-9")
    assert "1 sessions that no key decrypts: left" in capsys.readouterr().out
    call_command("sessions", "end", "--all")
    assert not Grant.objects.exists()
    assert not Session.objects.exists()
    assert not TranslatorLogin.objects.exists()
    assert Translator.objects.exists(), "accounts stay"
    assert "1 sessions that no key decrypts: deleted" in capsys.readouterr().out


def test_after_a_restore_the_service_is_not_called_with_used_tokens(service, logins):
    call_command("sessions", "end", "--all", "--only-here")
    assert remaining_logins() == []
    assert service.calls("POST", EXPIRE) == []


def test_a_silent_service_does_not_keep_logins_alive_and_calls_to_it_soon_stop(upstream, capsys):
    for number in range(10):
        log_in_as(f"a-{number}", "o-1")
    log_in_as("a-1", "o-1", KR)
    upstream.raw("POST", EXPIRE, body=ConnectionError())
    with pytest.raises(CommandError, match="The tokens of 11 sessions were not ended in the service"):
        call_command("sessions", "end", "--all")
    assert remaining_logins() == []
    hosts = [re.findall(r"//(\w+)\.", call.url)[0] for call in upstream.calls("POST", EXPIRE)]
    assert 3 <= hosts.count("eu") < 10
    assert "kr" in hosts
    output = capsys.readouterr().out
    assert "0 of them ended in the service" in output
    assert f"not ended in the service: administrator a-9 of organization o-1 at {EU}\n" in output
    assert f"not ended in the service: administrator a-1 of organization o-1 at {KR}\n" in output


def test_an_interrupted_command_reports_the_logins_whose_tokens_it_did_not_end(upstream, logins, capsys):
    def interrupt(_request):
        raise KeyboardInterrupt

    upstream.callback("POST", EXPIRE, interrupt)
    with pytest.raises(KeyboardInterrupt):
        call_command("sessions", "end", "--organization", "o-2")
    assert f"not ended in the service: administrator a-1 of organization o-2 at {EU}\n" in capsys.readouterr().out


def test_tokens_that_are_refreshed_concurrently_are_the_ones_that_end():
    name = log_in_as("a-1", "o-1")
    newest = replace(ME, refreshToken="newest").encrypt()
    waiting = [newest]

    def refresh_before(execute, sql, params, many, context):
        if sql.startswith('DELETE FROM "grant"') and waiting:
            Grant.objects.filter(pk=name).update(payload=waiting.pop(), generation=2)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refresh_before):
        ended = end_logins(lambda stored: True)
    assert [stored.refreshToken for stored in ended.stored] == ["newest"]
    assert remaining_logins() == []
