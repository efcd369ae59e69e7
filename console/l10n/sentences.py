"""Labels inside sentences."""

from django.utils.translation import get_language


def in_sentence(label: object) -> str:
    """Return a label for use inside a sentence: not capitalized in English; unchanged in other languages."""
    text = str(label)
    is_english = (get_language() or "en").startswith("en")
    return text[:1].lower() + text[1:] if is_english and not text[1:2].isupper() else text
