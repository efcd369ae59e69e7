"""A peer: its tables, its users, and an administrator who is logged in."""

from datetime import UTC, datetime, timedelta

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

USERS = 10_000
NEWEST = datetime(2026, 11, 1, 8, 30, tzinfo=UTC)


def log_in() -> str:
    """Create the tables, the users and a session; return the value of its cookie."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore

    call_command("migrate", verbosity=0)
    User.objects.bulk_create(
        User(
            username=f"person{number}",
            first_name=f"Anna{number % 40}",
            last_name=f"Almeida{number % 97}",
            email=f"person{number}@peer.example",
            is_staff=number % 3 == 0,
            last_login=NEWEST - timedelta(hours=number),
        )
        for number in range(USERS)
    )
    admin = User.objects.create_superuser("admin", "admin@peer.example")
    session = SessionStore()
    session[SESSION_KEY] = str(admin.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = admin.get_session_auth_hash()
    session.save()
    return str(session.session_key)


application = get_wsgi_application()

if __name__ == "__main__":
    print(log_in())
