"""`has_ended` and the database condition `ended` agree on which logins have ended."""

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from console.sessions.expiry import ABSOLUTE, IDLE, KEEP_LOGGED_IN_TTL, ended, has_ended
from console.sessions.models import Grant

pytestmark = pytest.mark.sql

SECOND, NEVER = timedelta(seconds=1), None
AGES = (timedelta(0), IDLE - SECOND, IDLE, ABSOLUTE - SECOND, ABSOLUTE, KEEP_LOGGED_IN_TTL - SECOND, KEEP_LOGGED_IN_TTL)


@pytest.mark.django_db
@pytest.mark.req("ST-04")
def test_the_database_ends_exactly_the_logins_that_have_ended():
    now = timezone.now()
    for persistent, created, used, refreshed in product((True, False), AGES, AGES, (NEVER, *AGES)):
        Grant.objects.create(
            payload="x",
            persistent=persistent,
            created_at=now - created,
            last_seen_at=now - used,
            refreshed_at=None if refreshed is NEVER else now - refreshed,
        )
    over = {grant.pk for grant in Grant.objects.all() if has_ended(grant, now)}
    lasting = set(Grant.objects.values_list("pk", flat=True)) - over
    assert over
    assert lasting
    assert set(Grant.objects.filter(ended(now)).values_list("pk", flat=True)) == over
    assert set(Grant.objects.exclude(ended(now)).values_list("pk", flat=True)) == lasting
