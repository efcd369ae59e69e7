"""Names of the browser and the system in a User-Agent, as users know them."""

import re

BROWSERS = (
    ("Edg", "Microsoft Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""The first match counts, because most browsers also send the names of older ones."""
_VERSION = re.compile(r"\D{0,4}(\d{1,4})", re.ASCII)
"""The version after a name: Chrome/150.0, EdgA/150.0."""
SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_and_system(user_agent: str) -> tuple[str, str]:
    """Return the names of browser and system; "" for unknown ones."""
    return _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)


def browser_and_version(user_agent: str) -> str:
    """Return browser, version and system for support, such as "Firefox 148, Windows"; "" if unknown."""
    word, browser = next(((word, name) for word, name in BROWSERS if word in user_agent), ("", ""))
    # Safari sends its own version as "Version/…", and its engine's after its name.
    after = user_agent.partition("Version/" if browser == "Safari" else word)[2] if word else ""
    version = _VERSION.match(after)
    named = f"{browser} {version[1]}" if version else browser
    return ", ".join(filter(None, [named, _first(SYSTEMS, user_agent)]))


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for word, name in names if word in user_agent), "")
