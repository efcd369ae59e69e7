"""The regions of the service: their locations, and the hosts of each."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.world import Options

# Server location -> (service domain id, countries that may choose it).
LOCATIONS = {
    "KR": (1, ["KR", "JP", "TH", "VN"]),
    "EU": (2, ["DE", "FR", "IT", "ES", "GR", "NL", "SE", "PL", "CZ", "RO", "TR", "EG", "CH", "AT", "GB", "NO", "DK"]),
    "US": (3, ["US", "CA", "MX", "BR"]),
}
DASHBOARD_HOST = "dashboard.demo.example"


def domain_urls(options: "Options") -> dict[str, str]:
    """Return the hosts by kind: 2 is the API, 5 the dashboards; the sandbox serves nothing at the others."""
    api = f"http://127.0.0.1:{options.api_port}"
    urls = {str(kind): api for kind in range(1, 9)}
    return {**urls, "5": f"https://{DASHBOARD_HOST}"}
