"""Labels inside of sentences."""

from django.utils.translation import get_language


def in_sentence(label: object) -> str:
    """Return a label as it stands inside of a sentence: in English not capitalized; other languages keep theirs."""
    text = str(label)
    is_english = (get_language() or "en").startswith("en")
    return text[:1].lower() + text[1:] if is_english and not text[1:2].isupper() else text
