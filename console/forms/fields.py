"""Form fields, and the rules that all forms share."""

import re
import unicodedata
from functools import cached_property
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.forms import renderers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.forms.rules import PASSWORD_RULES, TABLE, PasswordRule, broken_rules
from console.forms.spreadsheet_values import refuse_spreadsheet_faults
from console.l10n.sentences import in_sentence
from upstream.characters import folded, is_visible, normalized, visible
from upstream.emails import cleaned_email, readable_email, sent_email

EMAIL = re.compile(TABLE["email"]["pattern"])
EMAIL_LENGTH: int = TABLE["email"]["longest"]
NAME_LENGTH: int = TABLE["name"]["longest"]
NOTE_LENGTH = 200
MAX_PEOPLE: int = TABLE["number"]["most"]


def is_email(text: str) -> bool:
    """Return whether a text has at most 254 characters, one @, and a dot in its domain (conformance VA-34).

    The domain must be valid by IDNA.
    """
    email = sent_email(cleaned_email(text))
    is_sendable = email.rpartition("@")[2].isascii()
    return is_sendable and len(email) <= EMAIL_LENGTH and EMAIL.fullmatch(email) is not None


def is_printable(text: str) -> bool:
    """Return whether a text has no control characters. NUL or line ends could break a header or a log line."""
    return not any(unicodedata.category(c) == "Cc" for c in text)


def clean_lines(text: str, label: object) -> str:
    """Return the visible characters of a text of several lines, with uniform line ends.

    Raises ValidationError for control characters.
    """
    # Browsers send their own line ends; an unchanged text must not look changed.
    text = visible(text.replace("\r\n", "\n"))
    if not is_printable(text.replace("\n", "").replace("\t", "")):
        # Translators: label: a field, such as “email”, of any gender; “%(label)s: …” is fine.
        raise ValidationError(_("Invalid %(label)s") % {"label": in_sentence(label)}, code="invalid")
    return text if is_visible(text) else ""


class AccessibleField(forms.BoundField):
    """A rendered field. An empty required field is not announced as invalid before the form is sent."""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: forms.Widget | None = None) -> dict[str, Any]:
        # With maxlength, browsers silently cut pasted text. The server reports the length, and keeps the text.
        built = {**super().build_widget_attrs(attrs, widget), "maxlength": False}
        if self.has_initial_focus:
            built["autofocus"] = True
        return {"aria-invalid": "false", **built} if built.get("required") else built

    @property
    def has_initial_focus(self) -> bool:
        """True if this field gets the focus when the page opens: the first empty required field of a new form.

        A form that changes or deletes something stored has a version. A form can have `requires_any` (one of its
        fields), or `has_initial_focus = False`.
        """
        form: Any = self.form
        is_stored = getattr(form, "next_version", None) is not None
        if form.is_bound or is_stored or not getattr(form, "has_initial_focus", True):
            return False
        for field in form.visible_fields():
            is_required = field.field.required or getattr(form, "requires_any", False)
            if is_required and not field.value():
                return field is self
        return False

    @cached_property
    def subwidgets(self) -> Any:
        options: Any = super().subwidgets
        for option in options[1:]:
            option.data["attrs"].pop("autofocus", None)  # one button of a group has it
        return options


class Renderer(renderers.Jinja2):
    """The renderer of all forms (setting FORM_RENDERER): Jinja, with our own widget templates before Django's."""

    @cached_property
    def engine(self) -> Any:
        folders = [settings.BASE_DIR / "templates" / "forms", Path(renderers.__file__).parent / "jinja2"]
        options = {"environment": "console.shell.templates.forms_environment"}
        return self.backend({"APP_DIRS": False, "DIRS": folders, "NAME": "forms", "OPTIONS": options})

    bound_field_class = AccessibleField


class EmailBoundField(AccessibleField):
    """A rendered email field, which is checked when it is left if a script runs (behaviors/check-fields.ts)."""

    field: "EmailField"

    def build_widget_attrs(self, attrs: dict[str, Any], widget: forms.Widget | None = None) -> dict[str, Any]:
        built = super().build_widget_attrs(attrs, widget)
        if not self.field.is_checked_in_browser:
            return built
        pattern, limit = self.field.pattern, self.field.length_limit
        return {**built, "data-email": pattern, "data-max-length": limit, "data-error": self.field.invalid_text}


class EmailField(forms.CharField):
    """An email address. It is trimmed, invisible characters are removed, and the domain is decoded (IDNA).

    Its case is kept; lower case is only used for comparison.
    """

    widget = forms.EmailInput
    bound_field_class = EmailBoundField
    pattern, length_limit = EMAIL.pattern, EMAIL_LENGTH

    def __init__(self, *, is_checked_in_browser: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.is_checked_in_browser = is_checked_in_browser

    @property
    def invalid_text(self) -> str:
        return _("Invalid %(label)s") % {"label": in_sentence(self.label)}

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "dir": "ltr"}

    def clean(self, value: object) -> str:
        text = cleaned_email(str(super().clean(value)))
        if self.required and not text:
            raise ValidationError(self.error_messages["required"], code="required")
        if text and not (is_email(text) and is_printable(text)):
            raise ValidationError(self.invalid_text, code="invalid")
        return text

    def prepare_value(self, value: Any) -> Any:
        """Show the readable form of an address whose domain the browser has encoded; keep all other input."""
        return readable_email(value) if isinstance(value, str) and value.isascii() else value


class PresentPasswordField(forms.CharField):
    """An existing password: any non-empty text, unchanged (conformance VA-08)."""

    widget = forms.PasswordInput

    def __init__(self, *, label: Any) -> None:
        super().__init__(label=label, strip=False, max_length=512)


class NewPasswordField(forms.CharField):
    """A new password, with an error for each broken rule (conformance VA-01 to VA-07)."""

    widget = forms.PasswordInput

    def __init__(self, *, label: Any) -> None:
        super().__init__(label=label, strip=False)
        self.widget.attrs["autocomplete"] = "new-password"

    @property
    def rules(self) -> tuple[PasswordRule, ...]:
        """The rules for a page that lists them."""
        return PASSWORD_RULES

    @property
    def count_texts(self) -> list[str]:
        """The texts for 0, 1, 2 … met rules, which the browser announces."""
        count = len(PASSWORD_RULES)
        # Translators: read aloud while a new password is typed: how many of its rules it meets; both are numbers.
        return [_("%(kept)s of %(count)s requirements met") % {"kept": met, "count": count} for met in range(count + 1)]

    def validate(self, value: str) -> None:
        label = in_sentence(self.label)
        if not value:
            # Translators: field: a field, such as “email”, of any gender; “%(field)s: …” is fine.
            raise ValidationError(_("Enter %(field)s") % {"field": label}, code="required")
        if broken := broken_rules(value):
            raise ValidationError([_("Invalid %(label)s") % {"label": label}, *(rule.text for rule in broken)])


class NameField(forms.CharField):
    """The name of an object, normalized: each character has one spelling (NFC), and all blanks are spaces (VA-35)."""

    pattern, length_limit = "", NAME_LENGTH
    default_validators = [refuse_spreadsheet_faults]

    def __init__(self, *, label: Any, **kwargs: Any) -> None:
        super().__init__(label=label, max_length=NAME_LENGTH, **kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "dir": "auto"}

    def to_python(self, value: object) -> str:
        name = normalized("NFC", visible(str(value or ""))).strip()
        if not is_printable(name):
            raise ValidationError(_("Invalid %(label)s") % {"label": in_sentence(self.label)}, code="invalid")
        return folded(name)

    def validate(self, value: str) -> None:
        if self.required and not value:
            raise ValidationError(_("Enter %(field)s") % {"field": in_sentence(self.label)}, code="required")


class WholeNumberField(forms.Field):
    """A number of people: 0 to 9999, in the digits of any script; None if it is empty (VA-36)."""

    def __init__(self, *, label: Any, **kwargs: Any) -> None:
        # Not a number input, which only accepts the digits of one script.
        widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 6})
        super().__init__(label=label, widget=widget, required=False, **kwargs)

    def clean(self, value: object) -> int | None:
        text = folded(str("" if value is None else value))
        if not text:
            return None
        if not text.isdecimal() or len(text) > 20 or int(text) > MAX_PEOPLE:
            # Translators: most: the largest number that is allowed, such as 9999.
            raise ValidationError(_("Enter a whole number from 0 to %(most)s.") % {"most": MAX_PEOPLE}, code="invalid")
        return int(text)


class NoteField(forms.CharField):
    """A short note in one line."""

    default_validators = [refuse_spreadsheet_faults]

    def __init__(self, *, label: Any = None, required: bool = False, **kwargs: Any) -> None:
        super().__init__(label=label or gettext_lazy("Note"), max_length=NOTE_LENGTH, required=required, **kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "dir": "auto", "autocomplete": "off"}

    def clean(self, value: object) -> str:
        text = str(super().clean(value))
        if not is_printable(text):
            raise ValidationError(_("Invalid %(label)s") % {"label": in_sentence(self.label)}, code="invalid")
        return folded(text)
