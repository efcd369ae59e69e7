"""The stored session: its content, its encryption, and unreadable payloads."""

import base64
import json

import pytest
from cryptography.fernet import Fernet
from django.test import override_settings

from console.config.encryption import Unreadable, _cipher
from console.sessions.crypto import StoredSession
from console.sessions.tests.test_tokens import stored


@pytest.mark.req("EN-13", "EN-14", "EN-15", "EN-16", "EN-17", "EN-18", "EN-19", "EN-22", "EN-23", "ST-23")
def test_the_payload_is_the_base64_of_the_specified_json_encrypted():
    payload = stored().encrypt()
    assert "access-1" not in payload
    plain = json.loads(base64.b64decode(_cipher().decrypt(payload)))
    assert plain == {
        "accessToken": "access-1",
        "refreshToken": "refresh-1",
        "adminAuthDetail": {"organizationId": "o-1"},
        "adminId": "a-1",
        "isLoggedIn": True,
        "isAuthPersist": False,
        "serviceDomainId": 7,
        "domainUrls": {"2": "https://eu.example", "99": "https://unknown.example"},
        "variant": "global",
    }


@pytest.mark.req("EN-21")
def test_tokens_of_six_kilobytes_fit():
    session = stored(accessToken="a" * 6000, refreshToken="r" * 6000)
    assert StoredSession.decrypt(session.encrypt()) == session


def test_keys_can_be_rotated_and_old_payloads_stay_readable():
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    with override_settings(GRANT_KEYS=[old]):
        payload = stored().encrypt()
    with override_settings(GRANT_KEYS=[new, old]):
        assert StoredSession.decrypt(payload) == stored()
    with override_settings(GRANT_KEYS=[new]), pytest.raises(Unreadable):
        StoredSession.decrypt(payload)


def test_the_secret_keys_fallbacks_read_what_the_former_key_wrote():
    payload = stored().encrypt()
    former = "for-tests-only-" + "k" * 50
    with override_settings(SECRET_KEY="n" * 60, SECRET_KEY_FALLBACKS=[former]):
        assert StoredSession.decrypt(payload) == stored()


@pytest.mark.req("SEC-47")
def test_keys_that_are_set_for_the_first_time_end_no_session():
    payload = stored().encrypt()
    with override_settings(GRANT_KEYS=[Fernet.generate_key().decode()]):
        assert StoredSession.decrypt(payload) == stored()
        later = stored().encrypt()
    with pytest.raises(Unreadable):
        StoredSession.decrypt(later)  # the new key encrypts


@pytest.mark.parametrize("payload", ["", "x", "gAAAA", stored().encrypt()[:-4] + "AAAA"])
def test_a_damaged_payload_raises_unreadable(payload):
    with pytest.raises(Unreadable):
        StoredSession.decrypt(payload)


@pytest.mark.req("CA-39")
def test_the_repr_contains_no_tokens():
    assert "access-1" not in repr(stored())
    assert "access-1" not in str(stored())
