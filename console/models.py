"""The console's own rows: attempts that the throttle counts."""

from django.db import models


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
