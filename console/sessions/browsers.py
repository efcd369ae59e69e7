"""Which browser and which system a person uses, as far as they recognize it: the words of a User-Agent."""

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
"""The first that is there counts: most browsers name those before them as well."""
_VERSION = re.compile(r"\D{0,4}(\d{1,4})", re.ASCII)
"""What follows the name: Chrome/150.0, EdgA/150.0."""
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
    """Return both names; "" for what nobody would recognize."""
    return _first(BROWSERS, user_agent), _first(SYSTEMS, user_agent)


def browser_and_version(user_agent: str) -> str:
    """Return what support wants to know: "Firefox 148, Windows"; "" for what nobody would recognize."""
    word, browser = next(((word, name) for word, name in BROWSERS if word in user_agent), ("", ""))
    # Safari tells the version of its engine beside its own name.
    after = user_agent.partition("Version/" if browser == "Safari" else word)[2] if word else ""
    version = _VERSION.match(after)
    named = f"{browser} {version[1]}" if version else browser
    return ", ".join(filter(None, [named, _first(SYSTEMS, user_agent)]))


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for word, name in names if word in user_agent), "")
