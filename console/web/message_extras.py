"""The actions that a message offers, in the `extra_tags` of Django's messages."""

from collections.abc import Iterable

import msgspec
from django.contrib.messages.storage.base import Message


class MessageExtras(msgspec.Struct, frozen=True, omit_defaults=True):
    """A POST of `fields` to `undo` reverts what the message reports; its button is “Undo”.

    An `undo_label` replaces this text if the POST leads to a page that asks first.

    `finished_list` is the path of a list whose selection ended with the action. `section` is the ID of the heading of
    the section that the message is about, if the page opens there: it repeats the message.
    """

    undo: str = ""
    undo_label: str = ""
    fields: dict[str, str] = {}
    finished_list: str = ""
    section: str = ""

    def encode(self) -> str:
        return msgspec.json.encode(self).decode() if self != MessageExtras() else ""


def read_extras(text: str | None) -> MessageExtras:
    """Return the extras of a message; none for a message without them, or of an earlier release."""
    try:
        return msgspec.json.decode(text or "{}", type=MessageExtras)
    except msgspec.DecodeError:
        return MessageExtras()


def messages_about(messages: Iterable[Message], section: str) -> list[Message]:
    """Return the messages that a section of the page repeats."""
    return [message for message in messages if read_extras(message.extra_tags).section == section]
