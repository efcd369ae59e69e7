"""Saved views: the state of a list under a name, with a link above the list (conformance DM-36)."""

import html
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from console.lists.saved_views import MAX_LIST_VIEWS, StoredViews
from console.models import SavedView
from console.sessions.models import Grant
from tests.support import factories
from tests.support.reading import preference_cookie, words

pytestmark = [pytest.mark.req("DM-36"), pytest.mark.sql]

CLINICS = "/user-manage/clinic"
KIM = f"{CLINICS}?keyword=kim&country_code=KR&sort=country_code&order=desc"
NEW = "/saved-view/new"
JSON = {"Accept": "application/json"}


def read_views(client, address):
    """The saved views above a list, as (name, address, is_current), and the link that saves or edits."""
    views = client.get(address, headers=JSON).json()["item"]["list"].get("views")
    links = [(link["label"], link["href"], link["is_current"]) for link in views["links"]] if views else []
    return links, (views["act_label"], views["act_href"]) if views else None


def save(client, address, name, **form_data):
    """Save what the list shows there, as its link does; `typed` are further fields."""
    _links, (label, href) = read_views(client, address)
    assert label == "Save view"
    sent = {key: values[0] for key, values in parse_qs(urlsplit(href).query).items()}
    return client.post(NEW, {**sent, "name": name, **form_data})


def current(client, address):
    return [name for name, _href, is_current in read_views(client, address)[0] if is_current]


def names(client, address=CLINICS):
    return [name for name, _href, _is_current in read_views(client, address)[0]]


def test_a_list_in_its_plain_form_has_nothing_to_save_and_shows_nothing(administrator):
    page = administrator.get(CLINICS).content.decode()
    assert "views" not in page
    assert read_views(administrator, CLINICS) == ([], None)


@pytest.mark.parametrize(
    "query", ["keyword=kim", "country_code=KR", "sort=country_code&order=asc", "size=50", "columns=country&column="]
)
def test_what_was_asked_or_chosen_can_be_saved(administrator, query):
    _links, link = read_views(administrator, f"{CLINICS}?{query}")
    assert (link or [""])[0] == "Save view"


def share_link(client, address):
    views = client.get(address, headers=JSON).json()["item"]["list"].get("views")
    return views["share_href"] if views else None


def test_the_copied_link_shows_others_the_same_search_sort_and_columns(administrator, client):
    assert share_link(administrator, CLINICS) is None
    assert share_link(administrator, f"{KIM}&page=3") == f"{KIM}&size=25"
    administrator.get(f"{CLINICS}?columns=country.users&column=users")
    link = share_link(administrator, KIM)
    administrator.cookies.pop(preference_cookie(administrator.cookies, "columns").key)
    response = administrator.get(link)
    assert response.headers["Location"] == f"{KIM}&size=25"
    assert share_link(administrator, KIM) == link
    assert f'data-copy-address="{html.escape(link)}"' in administrator.get(KIM).content.decode()


def test_a_view_is_saved_under_a_name_and_shown_above_the_list(administrator, visit):
    page = visit(KIM + "&page=3")
    (href,) = re.findall(r'class="views-act" href="([^"]+)"', page.response.content.decode())
    form = visit(html.unescape(href))
    assert "Only you can see it" in words(form.response)
    response = save(administrator, KIM + "&page=3", "Kim in Korea")
    assert response.status_code == 303
    assert read_views(administrator, response.headers["Location"])[0] == [
        ("All", CLINICS, False),
        ("Kim in Korea", KIM, True),
    ]
    assert current(administrator, CLINICS) == ["All"]
    assert current(administrator, f"{CLINICS}?keyword=lee") == []
    assert "View saved." in words(visit(KIM).response)


def test_a_link_leads_to_the_address_of_the_list_which_can_be_shared(administrator, client):
    save(administrator, KIM, "Korea")
    ((_all), (_name, href, _)) = read_views(administrator, CLINICS)[0]
    assert href == KIM
    client.post("/logout")
    client.post("/login", {"email": "admin@demo.example", "password": "Demo123!"})
    assert client.get(href).status_code == 200


def test_a_view_has_its_columns_and_its_page_size(administrator):
    administrator.get(f"{CLINICS}?columns=country&list_query=keyword=kim&size=50")
    save(administrator, f"{CLINICS}?keyword=kim&size=50", "Narrow")
    administrator.get(f"{CLINICS}?columns=country&column=country")
    administrator.get(f"{CLINICS}?size=10")
    (_all, (_name, href, is_current)) = read_views(administrator, f"{CLINICS}?keyword=kim")[0]
    assert not is_current, "it has other columns"
    page = administrator.get(href)
    assert page.headers["Location"] == f"{CLINICS}?keyword=kim&size=50"
    assert current(administrator, page.headers["Location"]) == ["Narrow"]
    (_, all_href, _), _narrow = read_views(administrator, f"{CLINICS}?keyword=kim")[0]
    plain = administrator.get(all_href)
    assert current(administrator, plain.headers["Location"]) == ["All"], "the plain form has its own columns and size"


def test_the_default_view_is_shown_where_the_address_asks_for_nothing(administrator):
    save(administrator, KIM, "Korea", is_default="on")
    opened = administrator.get(CLINICS)
    assert (opened.status_code, opened.headers["Location"]) == (302, KIM)
    assert administrator.get(KIM).status_code == 200
    assert administrator.get(f"{CLINICS}?keyword=lee").status_code == 200, "an address that asks for something wins"
    (_, whole, _), *_links = read_views(administrator, KIM)[0]
    assert whole == f"{CLINICS}?view=all"
    assert administrator.get(whole).status_code == 200
    assert current(administrator, whole) == ["All"]
    assert current(administrator, CLINICS) == ["All"], "what a script reads there is the list that it asked for"
    page = administrator.get(KIM).content.decode()
    assert '<input type="hidden" name="view" value="all">' in page, "an empty search leads to the whole list"


def test_a_default_view_of_the_plain_form_leads_nowhere_else_for_ever(administrator):
    administrator.get(f"{CLINICS}?columns=country")
    save(administrator, CLINICS, "Narrow", is_default="on")
    administrator.get(f"{CLINICS}?columns=country&column=country")
    opened = administrator.get(CLINICS)
    assert opened.headers["Location"] == f"{CLINICS}?view=all"
    assert administrator.get(opened.headers["Location"]).status_code == 200
    assert current(administrator, opened.headers["Location"]) == ["Narrow"]


def test_the_columns_of_a_list_with_a_default_view_are_chosen_for_the_whole_list(administrator):
    save(administrator, KIM, "Korea", is_default="on")
    form = administrator.get(f"{CLINICS}?view=all", headers=JSON).json()["item"]["list"]["column_form"]
    chosen = administrator.get(f"{CLINICS}?{urlencode({'columns': 'country', 'list_query': form['query']})}")
    assert chosen.headers["Location"] == f"{CLINICS}?view=all"


def test_one_view_is_the_default_one_and_stands_first(administrator):
    save(administrator, KIM, "Kim")
    save(administrator, f"{CLINICS}?keyword=lee", "Lee", is_default="on")
    assert names(administrator) == ["All", "Lee", "Kim"]
    _links, (label, edit) = read_views(administrator, KIM)
    assert label == "Edit view"
    administrator.post(edit, {"name": "Kim", "is_default": "on"})
    assert names(administrator) == ["All", "Kim", "Lee"]
    administrator.post(edit, {"name": "Kim"})
    assert administrator.get(CLINICS).status_code == 200, "none is the default one any more"


def test_a_view_is_renamed_and_deleted_from_the_list_and_leads_back_to_it(administrator, visit):
    save(administrator, KIM, "Kim")
    _links, (_label, edit) = read_views(administrator, KIM)
    assert 'value="Kim"' in visit(edit).response.content.decode()
    response = administrator.post(edit, {"name": "Kims", "back": KIM})
    assert (response.status_code, response.headers["Location"]) == (303, KIM)
    assert current(administrator, KIM) == ["Kims"]
    delete = edit.replace("/edit", "/delete")
    assert "Delete the “\u2068Kims\u2069” view?" in words(visit(delete).response)
    response = administrator.post(delete, {"back": KIM})
    assert (response.status_code, response.headers["Location"]) == (303, KIM)
    assert names(administrator, KIM) == []
    assert administrator.post(delete, {"back": KIM}).status_code in (303, 404)


def test_a_name_stands_for_one_view_which_can_be_replaced(administrator):
    save(administrator, KIM, "Korea")
    other = f"{CLINICS}?country_code=KR"
    response = save(administrator, other, " KOREA ")
    assert response.status_code == 409
    html = response.content.decode()
    assert "This name is already in use" in words(response)
    assert 'name="replaces"' in html
    assert 'value=" KOREA "' in html
    assert save(administrator, other, " KOREA ", replaces="on").status_code == 303
    assert read_views(administrator, other)[0][1:] == [("KOREA", other, True)]
    save(administrator, f"{CLINICS}?keyword=lee", "Lee")
    _links, (_label, edit) = read_views(administrator, other)
    response = administrator.post(edit, {"name": "lee"})
    assert (response.status_code, 'name="replaces"' in response.content.decode()) == (409, False)


def test_the_same_form_sent_twice_and_the_same_view_in_two_tabs_are_one_view(administrator):
    sent = {"back": KIM + "&size=25", "name": "Kim", "form_id": "f" * 32}
    assert [administrator.post(NEW, sent).status_code for _ in range(2)] == [303, 303]
    assert administrator.post(NEW, {**sent, "form_id": "e" * 32}).status_code == 303
    assert names(administrator) == ["All", "Kim"]


def test_a_view_that_is_deleted_in_another_tab_is_not_there_to_be_edited(administrator):
    save(administrator, KIM, "Kim")
    _links, (_label, edit) = read_views(administrator, KIM)
    SavedView.objects.all().delete()
    assert administrator.post(edit, {"name": "Kim"}).status_code == 404


def test_a_name_is_needed_and_what_was_typed_stays(administrator):
    response = administrator.post(NEW, {"back": KIM, "hidden": "country", "name": " ", "is_default": "on"})
    content = response.content.decode()
    assert response.status_code == 422
    for value in ("checked", 'name="hidden" value="country"', html.escape(KIM)):
        assert value in content
    assert administrator.post(NEW, {"back": KIM, "name": "x" * 101}).status_code == 422


def test_there_are_enough_at_some_time(administrator):
    for number in range(MAX_LIST_VIEWS):
        save(administrator, f"{CLINICS}?keyword=k{number}", f"View {number}")
    response = save(administrator, KIM, "One more")
    assert response.status_code == 422
    assert "You've reached the limit for saved views." in words(response)
    assert SavedView.objects.count() == MAX_LIST_VIEWS


def test_views_that_can_not_be_decrypted_are_deleted_first(administrator):
    save(administrator, KIM, "Kim")
    for number in range(1, MAX_LIST_VIEWS):
        save(administrator, f"{CLINICS}?keyword=k{number}", f"View {number}")
    SavedView.objects.exclude(pk=SavedView.objects.earliest("pk").pk).update(content="of a key that is gone")
    assert save(administrator, f"{CLINICS}?keyword=lee", "Lee").status_code == 303
    assert names(administrator) == ["All", "Kim", "Lee"]
    assert SavedView.objects.count() == 2


@pytest.mark.req("SEC-120")
@pytest.mark.parametrize(
    "back",
    [
        *("", "/", "https://evil.example/x", "/login", "/\\evil.example", "["),
        *(f"{CLINICS}/g-1/delete", f"{CLINICS}?a=\x7f", f"https://evil.example/?keyword={'x' * 3000}"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_only_what_a_list_of_ours_shows_can_be_saved(administrator, method, back):
    response = getattr(administrator, method)(NEW, {"back": back, "name": "x"})
    assert (response.status_code, response.headers["Location"]) == (303, "/")
    assert not SavedView.objects.exists()


@pytest.mark.req("SEC-120", "ER-20")
@pytest.mark.parametrize("query", ["keyword=" + "x" * 3000, "keyword=" + "한" * 300, "a&" * 900])
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_address_that_is_too_long_to_be_saved_is_reported(administrator, method, query):
    response = getattr(administrator, method)(NEW, {"back": f"{CLINICS}?{query}", "name": "x"})
    html = response.content.decode()
    assert response.status_code == 422
    assert "The address of this list is too long for a saved view. Remove some filters, then save the view." in html
    assert f'href="{CLINICS}"' in html
    assert not SavedView.objects.exists()


def test_a_list_of_another_site_is_ours_by_its_path(administrator):
    response = administrator.post(NEW, {"back": "//evil.example/user-manage/clinic", "name": "x"})
    assert response.headers["Location"] == CLINICS


def test_what_is_stored_of_sort_size_and_page_and_can_not_be_meant_any_more_is_left_out(administrator):
    administrator.post(NEW, {"back": f"{CLINICS}?sort=nothing&size=7&page=x&zzz=1&keyword=a%00b", "name": "Odd"})
    administrator.post(NEW, {"back": CLINICS, "hidden": "nothing.$!..country", "name": "Hidden"})
    (_all, (_, odd, _), (_, hidden, _)) = read_views(administrator, CLINICS)[0]
    assert odd == f"{CLINICS}?keyword=ab"
    assert administrator.get(odd).status_code == 200
    assert administrator.get(hidden).headers["Location"] == CLINICS


def test_what_is_too_long_for_an_address_is_not_offered_to_be_saved(administrator):
    params = urlencode([*(("clinic", "c" * 60 + str(n)) for n in range(20)), ("keyword", "한" * 100)])
    answer = administrator.get(f"/user-manage/user?{params}", headers=JSON)
    assert "views" not in answer.json()["item"]["list"]


def test_a_row_that_can_not_be_read_any_more_hides_itself_alone(administrator):
    save(administrator, KIM, "Kim")
    save(administrator, f"{CLINICS}?keyword=lee", "Lee", is_default="on")
    lost = SavedView.objects.order_by("-pk")[0]
    SavedView.objects.filter(pk=lost.pk).update(content="of a key that is gone")
    assert administrator.get(CLINICS).status_code == 200
    assert names(administrator) == ["All", "Kim"]
    assert administrator.get(f"/saved-view/{lost.pk}/edit").status_code == 404
    assert save(administrator, f"{CLINICS}?keyword=lee", "Lee", replaces="on").status_code == 303
    assert names(administrator) == ["All", "Kim", "Lee"]


def refuse(kind):
    def wrapper(execute, sql, params, many, context):
        if kind(sql):
            raise OperationalError("disk I/O error")
        return execute(sql, params, many, context)

    return connection.execute_wrapper(wrapper)


def test_a_table_that_can_not_be_read_leaves_the_list_and_says_so_in_its_place(administrator, caplog):
    save(administrator, KIM, "Kim", is_default="on")
    with refuse(lambda sql: '"saved_view"' in sql):
        response = administrator.get(CLINICS)
    assert response.status_code == 200
    assert "Clinic 1" in words(response)
    assert "Saved views: Couldn't load this." in words(response)
    assert "kim" not in caplog.text.casefold()


@pytest.mark.django_db(transaction=True)
def test_a_table_that_can_not_be_written_is_reported_and_nothing_typed_is_lost(administrator):
    save(administrator, KIM, "Kim")
    _links, (_label, edit) = read_views(administrator, KIM)
    with refuse(lambda sql: '"saved_view"' in sql and not sql.startswith("SELECT")):
        responses = [
            administrator.post(NEW, {"back": f"{CLINICS}?keyword=lee", "name": "Typed"}),
            administrator.post(edit, {"name": "Typed"}),
            administrator.post(edit.replace("/edit", "/delete"), {}),
        ]
    assert [response.status_code for response in responses] == [503, 503, 503]
    assert ["Failed to" in words(response) for response in responses] == [True, True, True]
    assert [b'value="Typed"' in response.content for response in responses] == [True, True, False]
    assert names(administrator) == ["All", "Kim"]


OTHERS = {
    "an administrator of the same organization": ("a-2", "o-1"),
    "one of the same ID in another organization": ("a-1", "o-2"),
}


@pytest.mark.req("PM-20", "SEC-119")
@pytest.mark.parametrize("other", OTHERS)
def test_views_are_seen_and_changed_by_their_owner_only(administrator, upstream, other):
    save(administrator, KIM, "Kim", is_default="on")
    _links, (_label, edit) = read_views(administrator, KIM)
    administrator.post("/logout")
    admin_id, organization_id = OTHERS[other]
    upstream.remove("POST", "/v2/oauth/requestToken")
    their_login = {**factories.token(2, id=admin_id, organizationId=organization_id), "adminId": admin_id}
    upstream.answers("POST", "/v2/oauth/requestToken", their_login)
    upstream.answers("GET", f"/v1/bizOrganizations/{organization_id}", factories.organization())
    administrator.post("/login", {"email": "admin@demo.example", "password": "Demo123!"})
    assert administrator.get(CLINICS).status_code == 200, "it is no default of theirs"
    assert read_views(administrator, KIM)[0] == []
    for path in (edit, edit.replace("/edit", "/delete")):
        assert administrator.get(path).status_code == 404
        assert administrator.post(path, {"name": "Mine now", "is_default": "on"}).status_code == 404
    assert save(administrator, KIM, "Kim").status_code == 303, "nor is its name taken"
    assert SavedView.objects.count() == 2
    assert len({row.list for row in SavedView.objects.all()}) == 2
    stored = StoredViews(SavedView.objects.order_by("pk")[0].owner)
    assert [(view.name, view.is_default) for view in stored.for_list(CLINICS).views] == [("Kim", True)]


def test_a_view_belongs_to_one_list(administrator, upstream):
    upstream.answers("GET", "/v1/bizUsers", factories.listing([]))
    save(administrator, f"{CLINICS}/g-1/user?keyword=kim", "Kim", is_default="on")
    assert names(administrator, CLINICS) == []
    assert names(administrator, f"{CLINICS}/g-1/user?keyword=lee") == ["All", "Kim"]
    assert names(administrator, "/user-manage/user") == []


def test_that_a_list_was_opened_is_noted_once_a_day(administrator, django_assert_num_queries):
    save(administrator, KIM, "Kim")
    long_ago = timezone.now() - timedelta(days=300)
    SavedView.objects.update(used_at=long_ago)
    administrator.get(KIM)
    assert SavedView.objects.get().used_at > timezone.now() - timedelta(minutes=1)
    Grant.objects.update(last_seen_at=timezone.now())
    with django_assert_num_queries(4):
        administrator.get(KIM)
