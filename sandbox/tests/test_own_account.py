"""An email change that waits can be sent again and taken back, and sessions can be listed and ended."""

import pytest

from sandbox.process import SandboxProcess
from sandbox.tests.client import DEMO, Client, refused
from sandbox.tests.test_accounts import ME, NEW, activate, link_id

pytestmark = pytest.mark.slow


def test_the_mail_to_an_address_that_waits_is_sent_again_and_only_the_newest_link_works(
    admin: Client, sandbox: SandboxProcess
):
    refused(admin.call("PUT", f"{ME}/changeEmail/resend"), 404, 10004)
    admin.put(f"{ME}/changeEmail", {"email": NEW})
    first = link_id(sandbox)
    sent = admin.put(f"{ME}/changeEmail/resend", {})
    assert admin.get(ME)["pendingEmail"] == {"email": NEW, **sent}
    assert sandbox.mails()[0]["to"] == NEW
    refused(activate(admin, first), 404, 11007)
    assert activate(admin, link_id(sandbox)).status_code == 200


def test_an_email_change_that_is_taken_back_leaves_no_link(admin: Client, sandbox: SandboxProcess):
    refused(admin.call("DELETE", f"{ME}/changeEmail"), 404, 10004)
    admin.put(f"{ME}/changeEmail", {"email": NEW})
    assert admin.call("DELETE", f"{ME}/changeEmail").status_code == 200
    assert admin.get(ME)["pendingEmail"] is None
    refused(activate(admin, link_id(sandbox)), 404, 11007)


def test_sessions_are_listed_and_ended(admin: Client, sandbox: SandboxProcess):
    other, third = Client(sandbox), Client(sandbox)
    other.log_in(*DEMO)
    listed = admin.get(f"{ME}/sessions")["results"]
    mine = [row["id"] for row in listed if row["current"]]
    assert len(mine) == 1
    assert len(listed) == 2
    theirs = next(row["id"] for row in listed if not row["current"])
    assert admin.call("DELETE", f"{ME}/sessions/{theirs}").status_code == 200
    refused(admin.call("DELETE", f"{ME}/sessions/{theirs}"), 404, 10004)
    refused(other.call("GET", ME), 401, 11002)
    third.log_in(*DEMO)
    refused(admin.call("DELETE", f"{ME}/sessions"), 400, 10001)
    assert admin.call("DELETE", f"{ME}/sessions?except=current").status_code == 200
    refused(third.call("GET", ME), 401, 11002)
    assert [row["id"] for row in admin.get(f"{ME}/sessions")["results"]] == mine
    for client in (other, third):
        client.close()


def test_nobody_sees_the_sessions_of_a_colleague(admin: Client):
    refused(admin.call("GET", "/v1/bizOrganizationAdmins/a-2/sessions"), 404, 10004)
