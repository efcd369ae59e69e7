"""The stored session of the specification (section 3): base64 of JSON, encrypted and kept on the server."""

import base64
from typing import Any

import msgspec

from console.config.encryption import Unreadable, decrypt_text, encrypt_text


class StoredSession(msgspec.Struct, frozen=True, kw_only=True):
    """The specification's stored session with its stored domain data; field names are the specification's."""

    accessToken: str
    refreshToken: str
    adminAuthDetail: dict[str, Any]
    adminId: str
    isLoggedIn: bool
    isAuthPersist: bool
    serviceDomainId: int = 0
    domainUrls: dict[str, str] = {}
    variant: str = "global"

    def __repr__(self) -> str:
        return "StoredSession(...)"  # keeps tokens out of logged tracebacks

    def encrypt(self) -> str:
        return encrypt_text(base64.b64encode(msgspec.json.encode(self)).decode())

    @classmethod
    def decrypt(cls, payload: str) -> "StoredSession":
        """Decrypt the payload of a grant. Raises Unreadable."""
        try:
            return msgspec.json.decode(base64.b64decode(decrypt_text(payload)), type=cls)
        except ValueError as error:
            raise Unreadable from error
