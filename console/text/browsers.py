"""Which browser and which system a person uses, as far as they recognize it: the words of a User-Agent, no versions."""

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


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for word, name in names if word in user_agent), "")
