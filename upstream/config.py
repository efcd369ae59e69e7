"""Configuration of the client, which the settings provide."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Time limits in seconds: opening a connection; a whole read, write or refresh; all calls of one request."""

    connect: float = 2
    read: float = 10
    write: float = 20
    refresh: float = 8
    request: float = 25


@dataclass(frozen=True, slots=True)
class TransportConfig:
    """Addresses and limits; `allowed_hosts` are host suffixes, `ca_bundle` is a file or folder of TLS roots."""

    handler_url: str
    api_url: str
    allowed_hosts: tuple[str, ...] = ()
    insecure_loopback: bool = False
    ca_bundle: str | None = None
    proxy: str | None = None
    deadlines: Deadlines = field(default_factory=Deadlines)
    forgot_password_path: str = "/v1/bizOrganizationAdmins/forgotPassword"  # noqa: S105 (a path)
    environment: str = "dev"
    variant: str = "global"
