"""A client of the sandbox that follows the contract, unless a test violates it on purpose."""

from collections.abc import Mapping
from typing import Any

import requests

from sandbox.process import SandboxProcess

DEMO = ("admin@demo.example", "Demo123!")
OTHER = ("other@demo.example", "Other123!")
EMPTY = ("empty@demo.example", "Empty123!")


class Client:
    """Sends the headers that the contract requires; `headers` adds more, or with None removes one."""

    def __init__(self, sandbox: SandboxProcess) -> None:
        self.sandbox = sandbox
        self.http = requests.Session()
        self.http.trust_env = False
        self.token = ""
        self.refresh_token = ""
        self.service_id = 1

    def close(self) -> None:
        """Close all connections."""
        self.http.close()

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Any = None,
        headers: Mapping[str, str | None] | None = None,
        handler: bool = False,
        open_call: bool = False,
    ) -> requests.Response:
        """Make one call, with the bearer token unless it goes to the handler or needs none."""
        sent: dict[str, str | None] = {"service-id": str(self.service_id), "Content-Type": "application/json"}
        if self.token and not handler and not open_call:
            sent["Authorization"] = f"Bearer {self.token}"
        sent.update(headers or {})
        base = self.sandbox.handler_url if handler else self.sandbox.api_url
        sent_headers = {name: value for name, value in sent.items() if value is not None}
        return self.http.request(
            method, base + path, params=query, json=body, headers=sent_headers, timeout=10, allow_redirects=False
        )

    def get(self, path: str, query: Any = None, **more: Any) -> Any:
        """Return the JSON of a GET that must succeed."""
        return self._succeed("GET", path, query=query, **more)

    def put(self, path: str, body: Any, **more: Any) -> Any:
        """Return the JSON of a PUT that must succeed."""
        return self._succeed("PUT", path, body, **more)

    def post(self, path: str, body: Any, **more: Any) -> Any:
        """Return the JSON of a POST that must succeed."""
        return self._succeed("POST", path, body, **more)

    def delete(self, path: str, **more: Any) -> None:
        """Carry out a DELETE that must succeed."""
        assert self._succeed("DELETE", path, **more) == {}

    def _succeed(self, method: str, path: str, *body: Any, **more: Any) -> Any:
        response = self.call(method, path, *body, **more)
        assert response.status_code == 200, response.text
        return response.json()

    def request_token(self, **body: Any) -> requests.Response:
        """Request tokens."""
        return self.call("POST", "/v2/oauth/requestToken", body, open_call=True)

    def log_in(self, email: str = DEMO[0], password: str = DEMO[1]) -> dict[str, Any]:
        """Look up the region, log in and keep the pair of tokens."""
        region = self.call(
            "POST", "/v1/accounts/search", {"email": email, "type": 1, "env": "dev"}, handler=True
        ).json()
        self.service_id = region["serviceDomainId"]
        response = self.request_token(email=email, password=password, grantType="password")
        assert response.status_code == 200, response.text
        return self.keep(response.json())

    def refresh(self, refresh_token: str) -> requests.Response:
        """Use a refresh token."""
        return self.request_token(grantType="refresh_token", refreshToken=refresh_token)

    def keep(self, pair: dict[str, Any]) -> dict[str, Any]:
        """Use this pair from now on."""
        self.token, self.refresh_token = pair["accessToken"], pair["refreshToken"]
        return pair


def if_match(version: int) -> dict[str, str]:
    """Return the header with the version that was read."""
    return {"If-Match": f'"{version}"'}


def reasons(error: dict[str, Any]) -> dict[str, int]:
    """Return the count of each reason of a refusal."""
    return {reason["reason"]: reason["count"] for reason in error["details"]["reasons"]}


def refused(response: requests.Response, status: int, code: int) -> dict[str, Any]:
    """Assert a refusal in the contract's form and return it."""
    body: dict[str, Any] = response.json()
    assert (response.status_code, body["code"]) == (status, code), response.text
    assert set(body) <= {"code", "message", "traceId", "details"}
    return body
