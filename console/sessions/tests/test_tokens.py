"""The refresh: once for all requests of a session, with a hold time, and final if it fails."""

import logging
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from prometheus_client import REGISTRY

from console.sessions.crypto import StoredSession
from console.sessions.deferred_writes import delete_pending, remove
from console.sessions.models import Grant
from console.sessions.tokens import GrantTokens
from upstream.calls import NotRenewed, RenewalFailure
from upstream.config import Deadlines, TransportConfig
from upstream.errors import Maintenance, Refused, ServerCode15001, Unreachable
from upstream.resources.oauth import TokenInfo

pytestmark = pytest.mark.sql

CONFIG = TransportConfig(handler_url="", api_url="https://cn.example", deadlines=Deadlines(refresh=8))


class Killed(BaseException):
    """The process is killed, so no exception handler of it runs."""


class Service:
    """A token service that rotates refresh tokens, and ends a session whose old token is reused."""

    def __init__(self, *, fails: BaseException | None = None) -> None:
        self.fails = fails
        self.refreshes: list[tuple[str, str, int]] = []
        self.expired: list[str] = []
        self.called = threading.Event()
        self.hold = threading.Event()
        self.hold.set()

    def refresh(self, refresh_token: str, *, api_url: str, service_id: int) -> TokenInfo:
        self.refreshes.append((refresh_token, api_url, service_id))
        self.called.set()
        assert self.hold.wait(5)
        if self.fails:
            raise self.fails
        number = len(self.refreshes) + 1
        return TokenInfo(access_token=f"access-{number}", refresh_token=f"refresh-{number}", admin_detail={"name": "D"})

    def expire(self, refresh_token: str, **_: Any) -> None:
        self.expired.append(refresh_token)


WAITING = [("15001", RenewalFailure.SERVER_CODE_15001), ("18001", RenewalFailure.MAINTENANCE)]
"""The lease owner after a refresh that kept the session, and the failure of the requests that waited."""


def raises(failure: RenewalFailure) -> Any:
    return pytest.raises(NotRenewed, check=lambda error: error.failure == failure)


def fail_unreachable(*_: Any, **__: Any) -> None:
    raise Unreachable


def stored(**values: Any) -> StoredSession:
    return StoredSession(
        **{
            "accessToken": "access-1",
            "refreshToken": "refresh-1",
            "adminAuthDetail": {"organizationId": "o-1"},
            "adminId": "a-1",
            "isLoggedIn": True,
            "isAuthPersist": False,
            "serviceDomainId": 7,
            "domainUrls": {"2": "https://eu.example", "99": "https://unknown.example"},
            **values,
        }
    )


def create_grant(session: StoredSession, **values: Any) -> Grant:
    return Grant.objects.create(payload=session.encrypt(), persistent=False, admin_id_hash="h", **values)


def source(grant: Grant, service: Service, renewed: list[int] | None = None) -> GrantTokens:
    session = StoredSession.decrypt(grant.payload)
    return GrantTokens(grant, session, CONFIG, service, lambda: renewed.append(1) if renewed is not None else None)


@pytest.mark.django_db
@pytest.mark.req("ST-08", "CA-27", "CA-02")
def test_a_refresh_replaces_both_tokens_and_keeps_all_other_data():
    grant, service = create_grant(stored()), Service()
    renewed: list[int] = []
    tokens = source(grant, service, renewed)
    fresh = tokens.renew(tokens.current())
    assert (fresh.access_token, fresh.generation, fresh.api_url, fresh.service_id) == (
        "access-2", 2, "https://eu.example", 7,
    )  # fmt: skip
    assert service.refreshes == [("refresh-1", "https://eu.example", 7)]
    session = StoredSession.decrypt(Grant.objects.get().payload)
    assert (session.accessToken, session.refreshToken) == ("access-2", "refresh-2")
    assert session.adminAuthDetail == {"organizationId": "o-1", "name": "D"}
    assert session.domainUrls == stored().domainUrls
    assert renewed == [1]


@pytest.mark.django_db
def test_a_service_that_gives_no_new_refresh_token_keeps_the_old_one(monkeypatch):
    grant, service = create_grant(stored()), Service()
    service.refresh = lambda *a, **k: TokenInfo(access_token="access-2")  # type: ignore[method-assign]
    tokens = source(grant, service)
    tokens.renew(tokens.current())
    assert StoredSession.decrypt(Grant.objects.get().payload).refreshToken == "refresh-1"


@pytest.mark.django_db
@pytest.mark.req("ST-16", "CO-04")
@pytest.mark.parametrize(("age", "refreshes"), [(2.9, 0), (3.1, 1)])
def test_a_refreshed_token_is_held_for_three_seconds(age, refreshes):
    grant = create_grant(stored(), refreshed_at=timezone.now() - timedelta(seconds=age))
    service = Service()
    tokens = source(grant, service)
    tokens.renew(tokens.current())
    assert len(service.refreshes) == refreshes


@pytest.mark.django_db
@pytest.mark.req("ST-11")
def test_another_requests_newer_token_is_used_without_a_refresh():
    grant, service = create_grant(stored()), Service()
    mine, other = source(grant, service), source(grant, service)
    other.renew(other.current())
    Grant.objects.update(refreshed_at=timezone.now() - timedelta(minutes=1))
    assert mine.renew(mine.current()).access_token == "access-2"
    assert len(service.refreshes) == 1


@pytest.mark.django_db
@pytest.mark.req("ST-17", "ER-08")
def test_a_refused_refresh_ends_the_session_and_is_logged_once_without_its_token(caplog):
    grant, service = create_grant(stored()), Service(fails=Refused("refused", status=401, code=11003))
    first, second = source(grant, service), source(grant, service)
    caplog.set_level(logging.WARNING)
    for tokens in (first, second):
        with raises(RenewalFailure.SESSION_ENDED):
            tokens.renew(tokens.current())
    assert not Grant.objects.exists()
    lines = [r.getMessage() for r in caplog.records if "refresh failed" in r.getMessage()]
    assert len(lines) == 1
    assert "refresh-1" not in lines[0]
    assert len(service.refreshes) == 1


@pytest.mark.django_db
@pytest.mark.req("SEC-42")
@pytest.mark.parametrize(
    "answer",
    [
        {"admin_id": "a-2"},
        {"admin_detail": {"id": "a-2"}},
        {"admin_detail": {"type": 2}},
        {"admin_detail": {"type": "3", "organizationId": "o-1"}},
        {"admin_detail": {"organizationId": "o-2"}},
    ],
)
@pytest.mark.parametrize("expire_fails", [False, True])
def test_a_refresh_for_another_administrator_ends_the_session_and_its_tokens(answer, expire_fails, monkeypatch):
    grant, service = create_grant(stored()), Service()
    info = TokenInfo(access_token="access-2", refresh_token="refresh-2", **answer)
    monkeypatch.setattr(service, "refresh", lambda *_, **__: info)
    if expire_fails:
        monkeypatch.setattr(service, "expire", fail_unreachable)
    tokens = source(grant, service)
    with raises(RenewalFailure.SESSION_ENDED):
        tokens.renew(tokens.current())
    assert not Grant.objects.exists()
    assert service.expired == ([] if expire_fails else ["refresh-2"])


@pytest.mark.django_db
@pytest.mark.req("SEC-42")
@pytest.mark.parametrize(
    "answer",
    [{}, {"admin_id": "a-1"}, {"admin_id": "a-1", "admin_detail": {"id": "a-1", "type": 1, "organizationId": "o-1"}}],
)
def test_a_refresh_for_the_same_administrator_continues(answer, monkeypatch):
    grant, service = create_grant(stored()), Service()
    info = TokenInfo(access_token="access-2", refresh_token="refresh-2", **answer)
    monkeypatch.setattr(service, "refresh", lambda *_, **__: info)
    tokens = source(grant, service)
    assert tokens.renew(tokens.current()).access_token == "access-2"


@pytest.mark.django_db
@pytest.mark.req("SEC-42")
@pytest.mark.parametrize("odd", [None, "", 0, [], {}])
def test_empty_values_in_a_response_change_nothing(odd, monkeypatch):
    grant, service = create_grant(stored()), Service()
    info = TokenInfo(access_token="access-2", refresh_token="refresh-2", admin_detail={"organizationId": odd})
    monkeypatch.setattr(service, "refresh", lambda *_, **__: info)
    tokens = source(grant, service)
    tokens.renew(tokens.current())
    assert StoredSession.decrypt(Grant.objects.get().payload).adminAuthDetail["organizationId"] == "o-1"


@pytest.mark.django_db
@pytest.mark.req("ST-18")
def test_without_a_refresh_token_the_session_ends_without_a_call():
    grant, service = create_grant(stored(refreshToken="")), Service()
    tokens = source(grant, service)
    with raises(RenewalFailure.SESSION_ENDED):
        tokens.renew(tokens.current())
    assert (service.refreshes, Grant.objects.count()) == ([], 0)


@pytest.mark.django_db
@pytest.mark.parametrize("error", [ServerCode15001(), Maintenance()])
@pytest.mark.req("ST-10", "RT-34")
def test_a_fault_of_the_service_does_not_end_the_session(error):
    grant, service = create_grant(stored()), Service(fails=error)
    tokens = source(grant, service)
    with pytest.raises(type(error)):
        tokens.renew(tokens.current())
    service.fails = None
    assert tokens.renew(tokens.current()).generation == 2, "the lease was given back"


@pytest.mark.django_db
@pytest.mark.parametrize(("code", "failure"), WAITING)
def test_a_request_that_waited_for_a_refresh_gets_its_error(code, failure, monkeypatch):
    """Waiting requests must not retry one by one."""
    until = timezone.now() + timedelta(seconds=9)
    grant, service = create_grant(stored(), lease_owner="first", lease_until=until), Service()
    tokens = source(grant, service)
    monkeypatch.setattr(
        "console.sessions.tokens.time.sleep",
        lambda _: Grant.objects.update(lease_owner=code, lease_until=timezone.now()),
    )
    with raises(failure):
        tokens.renew(tokens.current())
    assert service.refreshes == []


@pytest.mark.django_db
@pytest.mark.req("ST-10")
@pytest.mark.parametrize(("code", "failure"), WAITING)
def test_a_request_that_checks_after_the_next_refresh_has_started_gets_the_error_too(code, failure, monkeypatch):
    until = timezone.now() + timedelta(seconds=9)
    grant, service = create_grant(stored(), lease_owner="first", lease_until=until), Service()
    late, following = source(grant, service), source(grant, Service(fails=Killed()))

    def first_ends_and_next_starts(_):
        Grant.objects.update(lease_owner=code, lease_until=timezone.now())
        with pytest.raises(Killed):  # so that its call never ends
            following.renew(following.current())

    monkeypatch.setattr("console.sessions.tokens.time.sleep", first_ends_and_next_starts)
    with raises(failure):
        late.renew(late.current())
    assert service.refreshes == []


@pytest.mark.django_db
def test_waiting_too_long_for_another_request_does_not_end_the_session(monkeypatch):
    grant = create_grant(stored(), lease_owner="x", lease_until=timezone.now() + timedelta(hours=1))
    tokens = source(grant, Service())
    monkeypatch.setattr("console.sessions.tokens.WAIT_TIMEOUT_SECONDS", 0.0)
    with raises(RenewalFailure.TIMED_OUT):
        tokens.renew(tokens.current())
    assert Grant.objects.count() == 1


@pytest.mark.django_db
def test_an_unreachable_token_service_ends_the_session():
    grant, service = create_grant(stored()), Service(fails=Unreachable())
    tokens = source(grant, service)
    with raises(RenewalFailure.SESSION_ENDED):
        tokens.renew(tokens.current())
    assert not Grant.objects.exists()


@pytest.mark.django_db
@pytest.mark.req("SEC-45")
def test_an_unexpected_exception_gives_the_lease_back(monkeypatch):
    grant, service = create_grant(stored()), Service(fails=ZeroDivisionError())
    tokens = source(grant, service)
    with pytest.raises(ZeroDivisionError):
        tokens.renew(tokens.current())
    service.fails = None
    monkeypatch.setattr("console.sessions.tokens.WAIT_TIMEOUT_SECONDS", 0.2)
    assert tokens.renew(tokens.current()).generation == 2, "without waiting for the lease to run out"


@pytest.mark.django_db
@pytest.mark.req("SEC-45")
def test_a_pair_that_can_not_be_stored_gives_the_lease_back(monkeypatch):
    grant, service = create_grant(stored()), Service()
    tokens = source(grant, service)
    with monkeypatch.context() as broken:
        broken.setattr(StoredSession, "encrypt", fail_unreachable)
        with pytest.raises(Unreachable):
            tokens.renew(tokens.current())
    monkeypatch.setattr("console.sessions.tokens.WAIT_TIMEOUT_SECONDS", 0.2)
    assert tokens.renew(tokens.current()).generation == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-41")
def test_a_token_is_not_refreshed_while_it_could_not_be_stored(monkeypatch):
    grant, service = create_grant(stored()), Service()
    tokens = source(grant, service)

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("UPDATE"):
            raise OperationalError("disk full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse), raises(RenewalFailure.NOT_STORED):
        tokens.renew(tokens.current())
    assert service.refreshes == []
    assert tokens.renew(tokens.current()).generation == 2, "the session goes on"


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-41")
def test_a_login_that_ends_because_its_new_tokens_can_not_be_stored_is_counted_as_that():
    grant, service = create_grant(stored()), Service()
    tokens = source(grant, service)

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("UPDATE") and service.refreshes:
            raise OperationalError("disk full")
        return execute(sql, params, many, context)

    def counted() -> float:
        return REGISTRY.get_sample_value("console_refreshes_total", {"outcome": "NotStored"}) or 0

    before = counted()
    with connection.execute_wrapper(refuse), raises(RenewalFailure.NOT_STORED):
        tokens.renew(tokens.current())
    assert counted() == before + 1
    assert not Grant.objects.filter(pk=grant.pk).exists(), "the tokens that are left were used up"


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-41", "ST-20")
def test_a_logout_during_the_refresh_wins_although_its_row_could_not_be_deleted(monkeypatch):
    grant, service = create_grant(stored()), Service()
    tokens, refresh = source(grant, service), service.refresh

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("DELETE"):
            raise OperationalError("disk full")
        return execute(sql, params, many, context)

    def log_out_meanwhile(*args: Any, **more: Any) -> TokenInfo:
        with connection.execute_wrapper(refuse):
            remove(Grant, grant.pk)
        return refresh(*args, **more)

    monkeypatch.setattr(service, "refresh", log_out_meanwhile)
    for _ in range(2):
        with raises(RenewalFailure.SESSION_ENDED):
            tokens.renew(tokens.current())
    assert (len(service.refreshes), service.expired) == (1, ["refresh-2"])
    delete_pending()
    assert not Grant.objects.exists()


@pytest.mark.django_db
def test_an_expired_lease_is_taken_over():
    grant = create_grant(stored(), lease_owner="dead", lease_until=timezone.now() - timedelta(seconds=1))
    tokens = source(grant, Service())
    assert tokens.renew(tokens.current()).generation == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("ST-20", "ST-21")
def test_a_pair_that_arrives_after_logout_is_expired():
    grant, service = create_grant(stored()), Service()
    service.hold.clear()
    tokens = source(grant, service)
    outcome: list[Exception] = []

    def renew() -> None:
        try:
            tokens.renew(tokens.current())
        except NotRenewed as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=renew)
    thread.start()
    assert service.called.wait(5)
    Grant.objects.all().delete()
    service.hold.set()
    thread.join(5)
    assert len(outcome) == 1
    assert service.expired == ["refresh-2"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("ST-11", "ST-15")
def test_twelve_threads_make_one_refresh():
    grant, service = create_grant(stored()), Service()
    barrier, got = threading.Barrier(12), []

    def renew() -> None:
        tokens = source(grant, service)
        barrier.wait(5)
        got.append(tokens.renew(tokens.current()).access_token)
        connection.close()

    threads = [threading.Thread(target=renew) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert got == ["access-2"] * 12
    assert len(service.refreshes) == 1


@pytest.mark.req("EN-25", "EN-26", "ST-26")
def test_the_china_variant_calls_the_configured_address():
    session = stored(variant="china", domainUrls={}, serviceDomainId=0)
    grant = Grant(payload=session.encrypt(), persistent=False, admin_id_hash="h")
    token = GrantTokens(grant, session, CONFIG, Service(), lambda: None).current()
    assert (token.api_url, token.service_id) == ("https://cn.example", 1)
