"""The actions that a message offers, in the `extra_tags` of Django's messages."""

import msgspec


class MessageExtras(msgspec.Struct, frozen=True, omit_defaults=True):
    """A POST of `fields` to `undo` reverts what the message reports; its button is “Undo”, or `undo_label`.

    `finished_list` is the path of a list whose selection ended with the action.
    """

    undo: str = ""
    undo_label: str = ""
    fields: dict[str, str] = {}
    finished_list: str = ""

    def encode(self) -> str:
        return msgspec.json.encode(self).decode() if self != MessageExtras() else ""


def read_extras(text: str | None) -> MessageExtras:
    """Return the extras of a message; none for a message without them, or of an earlier release."""
    try:
        return msgspec.json.decode(text or "{}", type=MessageExtras)
    except msgspec.DecodeError:
        return MessageExtras()
