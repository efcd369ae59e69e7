"""Many clinics at once: deleted after a typed confirmation, and their permissions changed."""

import pytest

from tests.support import factories
from tests.support.bulk import answer_bulk_call, bodies, get_list_query, has_rows, next_step

LIST = "/user-manage/clinic"
BULK = LIST + "/bulk/"
CALL = "/v1/bizMainGroups"
PARTNERS = [{"reason": "CLINIC_HAS_PARTNER", "count": 2}]


@pytest.fixture
def administrator(administrator, upstream):
    has_rows(upstream, CALL, [factories.clinic(1), factories.clinic(2), factories.clinic(3, deleteBlockers=PARTNERS)])
    return administrator


def post(client, action, data):
    return client.post(BULK + action, data, follow=True).content.decode()


@pytest.mark.req("LS-15", "DM-17", "LS-08", "DM-40")
@pytest.mark.parametrize(
    ("chosen", "confirmation", "status"),
    [
        (["g-1"], "", 422),
        (["g-1"], "1", 422),
        (["g-1"], "Clinic 1", 303),
        (["g-1", "g-3"], "Clinic 1", 303),
        (["g-1", "g-2"], "Clinic 1", 422),
        (["g-1", "g-2"], "", 422),
        (["g-1", "g-2"], " ٢ ", 303),
    ],
)
def test_clinics_are_deleted_only_after_their_name_or_number_was_typed(
    administrator, upstream, chosen, confirmation, status
):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    plan = post(administrator, "delete", {"id": chosen})
    response = administrator.post(BULK + "delete", {**next_step(plan), "typed": confirmation})
    assert response.status_code == status
    assert len(upstream.calls("POST", CALL + "/bulkDelete")) == (status != 422)
    assert ">Undo</button>" not in administrator.get(LIST).content.decode()


@pytest.mark.req("VA-29", "ER-24", "LS-08", "DM-18")
def test_a_clinic_with_partners_is_reported_and_not_deleted(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkDelete")
    plan = post(administrator, "delete", {"all": "1", "query": get_list_query(administrator, LIST)})
    assert "3 clinics selected" in plan
    assert "1 clinic can't be deleted. The other 2 can." in plan.replace("&#39;", "'")
    assert "End the clinic&#39;s 2 partnerships first." in plan
    assert "Type “2” to confirm" in plan
    assert "Delete 2 clinics</button>" in plan
    html = post(administrator, "delete", {**next_step(plan), "typed": "2"})
    assert bodies(upstream, CALL + "/bulkDelete") == [{"ids": ["g-1", "g-2"]}]
    assert "2 clinics deleted." in html
    assert "1 clinic wasn&#39;t deleted." in html
    assert "End the clinic&#39;s 2 partnerships first." in html


@pytest.mark.req("PM-12", "DM-01")
def test_permissions_of_many_clinics(administrator, upstream):
    answer_bulk_call(upstream, CALL + "/bulkPermissions")
    plan = post(administrator, "permissions", {"id": ["g-1", "g-2"]})
    assert "Clinic setting" not in plan
    options = {"allow_export": "off", "allow_download": "on"}
    html = post(administrator, "permissions", {**next_step(plan), **options})
    assert "Permissions changed for 2 clinics." in html
    sent = {"ids": ["g-1", "g-2"], "permissions": {"allowExport": False, "allowDownload": True}}
    assert bodies(upstream, CALL + "/bulkPermissions") == [sent]


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("chosen", [{"id": ["g-1", "g-9"]}, {"all": "1"}])
def test_clinics_of_another_organization_are_left_out(administrator, upstream, chosen):
    has_rows(upstream, CALL, [factories.clinic(1), factories.clinic(9, organizationId="o-2", name="Theirs")])
    plan = post(administrator, "delete", {**chosen, "query": get_list_query(administrator, LIST)})
    assert "1 clinic selected" in plan
    assert "Theirs" not in plan


@pytest.mark.parametrize(
    ("chosen", "message"),
    [({}, "Select at least one row first."), ({"id": "g-99"}, "The selected rows no longer exist.")],
)
def test_without_a_selection_it_returns_to_the_list_and_says_why(administrator, chosen, message):
    response = administrator.post(BULK + "delete", {"back": LIST + "?page=2", **chosen})
    assert (response.status_code, response.headers["Location"]) == (303, LIST + "?page=2")
    assert message in administrator.get(LIST).content.decode()
