"""An administrator has the same identity in each session, which no one else has, whatever happens to the keys."""

import hashlib
import threading
from collections.abc import Iterator

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from msgspec.structs import replace

from console.sessions.crypto import StoredSession
from console.sessions.identity import identity_for, identity_key, read_sender, sign_sender
from console.sessions.models import Grant, IdentityKey

pytestmark = pytest.mark.sql

ME = StoredSession(
    accessToken="a",
    refreshToken="r",
    adminAuthDetail={"organizationId": "o-1"},
    adminId="a-1",
    isLoggedIn=True,
    isAuthPersist=False,
    serviceDomainId=7,
    domainUrls={"2": "https://eu.api.example"},
)


@pytest.fixture(autouse=True)
def first_process() -> Iterator[None]:
    """Clear the cached key, so that each test starts like a new process."""
    identity_key.cache_clear()
    yield
    identity_key.cache_clear()


def in_another_process(stored: StoredSession = ME) -> str:
    identity_key.cache_clear()
    return identity_for(stored)


@pytest.mark.django_db
@pytest.mark.req("SEC-31")
@pytest.mark.parametrize(
    "other",
    [
        {"adminId": "a-2"},
        {"adminAuthDetail": {"organizationId": "o-2"}},
        {"serviceDomainId": 8},
        {"variant": "china"},
    ],
)
def test_any_difference_makes_another_identity(other):
    assert identity_for(replace(ME, **other)) != identity_for(ME)


@pytest.mark.django_db
@pytest.mark.req("SEC-31")
def test_new_tokens_a_new_name_and_a_new_address_of_the_region_keep_the_identity():
    moved = replace(ME, accessToken="b", refreshToken="s", domainUrls={"2": "https://moved.example"})
    renamed = replace(moved, adminAuthDetail={"organizationId": "o-1", "name": "New"}, isAuthPersist=True)
    assert identity_for(renamed) == identity_for(ME)


@pytest.mark.django_db
@pytest.mark.req("SEC-31")
def test_an_identity_cannot_be_computed_from_an_id(settings):
    first = identity_for(ME)
    IdentityKey.objects.all().delete()
    assert in_another_process() != first, "an installation with the same SECRET_KEY has other ones"
    assert hashlib.sha256(b"a-1").hexdigest() not in sign_sender(first)


@pytest.mark.django_db
@pytest.mark.req("SEC-32")
def test_a_rotation_of_the_keys_changes_no_identity(settings):
    settings.GRANT_KEYS, settings.SECRET_KEY = [], "first" * 12
    identity, sender = identity_for(ME), sign_sender(identity_for(ME))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "second" * 12, ["first" * 12]
    assert in_another_process() == identity
    settings.SECRET_KEY_FALLBACKS = []
    assert in_another_process() == identity, "it was encrypted with the new key, so the former one can be removed"
    assert read_sender(sender) == identity
    assert IdentityKey.objects.count() == 1
    assert identity_key() not in IdentityKey.objects.get().value


@pytest.mark.django_db
@pytest.mark.req("SEC-32")
def test_a_rotation_of_the_grant_keys_changes_no_identity(settings):
    former, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.GRANT_KEYS = [former]
    identity = in_another_process()
    for keys in ([new, former], [new]):
        settings.GRANT_KEYS = keys
        assert in_another_process() == identity


@pytest.mark.django_db
@pytest.mark.req("SEC-32")
def test_grant_keys_for_the_first_time_on_several_hosts_one_after_the_other(settings):
    new = Fernet.generate_key().decode()
    before: list[str] = []
    with_both, after = ["derived", new], [new]
    for one, other in ((before, before), (with_both, before), (with_both, with_both), (after, with_both)):
        written = []
        for keys in (one, other):
            settings.GRANT_KEYS = keys
            written.append((in_another_process(), ME.encrypt()))
        for keys in (one, other):
            settings.GRANT_KEYS = keys
            assert {in_another_process()} == {identity for identity, _ in written}
            assert [StoredSession.decrypt(payload) for _, payload in written] == [ME, ME]
    assert IdentityKey.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.req("SEC-32")
def test_a_process_with_wrong_keys_leaves_the_key_of_the_others(settings, caplog):
    identity = identity_for(ME)
    right = settings.GRANT_KEYS, settings.SECRET_KEY
    settings.GRANT_KEYS, settings.SECRET_KEY = [Fernet.generate_key().decode()], "another" * 10
    wrong = in_another_process()
    assert "no key fits the identity key" in caplog.text
    assert wrong != identity
    assert in_another_process() == wrong, "it finds its own again"
    settings.GRANT_KEYS, settings.SECRET_KEY = right
    assert in_another_process() == identity


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("SEC-32")
def test_processes_that_start_at_the_same_time_have_the_same_key():
    barrier, keys = threading.Barrier(4), []

    def start() -> None:
        barrier.wait(5)
        keys.append(identity_key.__wrapped__())
        connection.close()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert (len(keys), len(set(keys)), IdentityKey.objects.count()) == (4, 1, 1)


@pytest.mark.req("SEC-31")
def test_a_session_of_an_earlier_release_continues_and_gets_its_identity(admin_client, upstream):
    upstream.has_clinic()
    Grant.objects.update(admin_id_hash=hashlib.sha256(b"a-1").hexdigest())
    assert admin_client.get("/user-manage/clinic").status_code == 200
    grant = Grant.objects.get()
    assert grant.admin_id_hash == identity_for(StoredSession.decrypt(grant.payload))


@pytest.mark.req("SEC-31")
def test_an_organization_that_is_learned_after_the_login_belongs_to_the_identity(log_in, client, upstream):
    upstream.answers("GET", "/v1/bizOrganizationAdmins/a-1", {"id": "a-1", "organizationId": "o-1"})
    log_in(organizationId=None)
    upstream.has_clinic()
    client.get("/user-manage/clinic")
    assert Grant.objects.get().admin_id_hash == identity_for(
        replace(StoredSession.decrypt(Grant.objects.get().payload), adminAuthDetail={"organizationId": "o-1"})
    )
