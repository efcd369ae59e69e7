"""Many clinics at once: deleted only after something was typed, and their permissions changed."""

import json
import re

import pytest

from console.testing import factories

LIST = "/user-manage/clinic"
BULK = LIST + "/bulk/"
CALL = "/v1/bizMainGroups"
PARTNERS = [{"reason": "CLINIC_HAS_PARTNER", "count": 2}]


@pytest.fixture
def administrator(admin_client, upstream):
    upstream.has_clinic()
    clinics = [factories.clinic(1), factories.clinic(2), factories.clinic(3, deleteBlockers=PARTNERS)]

    def answer(request):
        ids = re.findall(r"ids=([\w-]+)", request.url)
        chosen = [clinic for clinic in clinics if not ids or clinic["id"] in ids]
        return 200, {}, json.dumps(factories.listing(chosen))

    upstream.forget("GET", CALL)
    upstream.callback("GET", CALL, answer)
    return admin_client


def carried(html):
    return {name: re.findall(rf'name="{name}" value="([^"]*)"', html)[0] for name in ("course", "form_id", "back")}


def done(upstream, action):
    def answer(request):
        rows = [{"id": id, "ok": True} for id in json.loads(request.body)["ids"]]
        return 200, {}, json.dumps({"resultCount": len(rows), "okCount": len(rows), "results": rows})

    upstream.callback("POST", f"{CALL}/bulk{action}", answer)


@pytest.mark.req("LS-15", "DM-17", "LS-08")
@pytest.mark.parametrize(
    ("chosen", "typed", "status"),
    [
        (["g-1"], "", 422),
        (["g-1"], "1", 422),
        (["g-1"], "Clinic 1", 200),
        (["g-1", "g-3"], "Clinic 1", 200),
        (["g-1", "g-2"], "Clinic 1", 422),
        (["g-1", "g-2"], "", 422),
        (["g-1", "g-2"], " ٢ ", 200),
    ],
)
def test_clinics_are_deleted_only_after_their_name_or_number_was_typed(administrator, upstream, chosen, typed, status):
    done(upstream, "Delete")
    plan = administrator.post(BULK + "delete", {"id": chosen}).content.decode()
    response = administrator.post(BULK + "delete", {**carried(plan), "typed": typed})
    assert response.status_code == status
    assert len(upstream.calls("POST", CALL + "/bulkDelete")) == (status == 200)


@pytest.mark.req("VA-29", "ER-24", "LS-08", "DM-18")
def test_a_clinic_with_partners_is_told_and_left_alone(administrator, upstream):
    done(upstream, "Delete")
    plan = administrator.post(BULK + "delete", {"all": "1", "back": LIST}).content.decode()
    assert "The clinic has 2 partners." in plan
    assert "Type “2” to confirm" in plan
    html = administrator.post(BULK + "delete", {**carried(plan), "typed": "2"}).content.decode()
    assert json.loads(upstream.calls("POST", CALL + "/bulkDelete")[0].body) == {"ids": ["g-1", "g-2"]}
    assert "The clinic has 2 partners." in html


@pytest.mark.req("PM-12", "DM-01")
def test_permissions_of_many_clinics(administrator, upstream):
    done(upstream, "Permissions")
    plan = administrator.post(BULK + "permissions", {"id": ["g-1", "g-2"]}).content.decode()
    options = {"allow_export": "off", "allow_download": "on"}
    html = administrator.post(BULK + "permissions", {**carried(plan), **options}).content.decode()
    assert "2 rows are done." in html
    sent = json.loads(upstream.calls("POST", CALL + "/bulkPermissions")[0].body)
    assert sent == {"ids": ["g-1", "g-2"], "permissions": {"allowExport": False, "allowDownload": True}}
