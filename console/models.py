"""The console's own rows: attempts that the throttle counts, forms that must be carried out once, and drafts."""

from django.db import models
from django.utils import timezone


class Attempt(models.Model):
    """How often one key (a hash of address, e-mail or both, and of what was tried) was used in its window."""

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    window_ends = models.DateTimeField(db_index=True)
    blocked_until = models.DateTimeField(null=True)

    class Meta:
        db_table = "attempt"

    def __str__(self) -> str:
        return f"{self.count} attempts until {self.window_ends:%H:%M}"


class Submission(models.Model):
    """A form that is being carried out, or was a moment ago; its answer is encrypted, because it is somebody's page.

    Without an answer nobody knows yet what became of it. `form` is the same for all versions of a form.
    """

    key = models.CharField(max_length=64, primary_key=True)
    form = models.CharField(max_length=64, default="", db_default="", db_index=True)
    answer = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "submission"

    def __str__(self) -> str:
        return f"form {self.key[:8]}"


class Draft(models.Model):
    """What was typed into a form when the session ended; encrypted, and for its author only: `sender` is who."""

    key = models.CharField(max_length=64, primary_key=True)
    sender = models.CharField(max_length=64, default="", db_default="", db_index=True)
    content = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        db_table = "draft"

    def __str__(self) -> str:
        return f"draft {self.key[:8]}"
