"""People pasted from a mail program or a spreadsheet."""

import json
import re
from html import unescape
from urllib.parse import quote

import pytest

from groups.forms.pasted import people_in
from groups.tests.test_invitations import CALL, FORM_ID, INVITE, administrator, rows  # noqa: F401
from tests.support import factories
from tests.support.bulk import field
from tests.support.cost import is_linear
from tests.support.reading import one_line

FIVE = """Ada One <ada@a.example>, Bob Two <bob@a.example>; Cy Three <cy@a.example>
Di Four\tdi@a.example
Ed Five, ed@a.example"""
ALL = "/user-manage/user/new"


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ada <ada@a.example>", [("Ada", "ada@a.example")]),
        ('"Park, Hana" <hana@a.example>', [("Park Hana", "hana@a.example")]),
        ("a@a.example, b@a.example", [("", "a@a.example"), ("", "b@a.example")]),
        ("a@a.example b@a.example", [("", "a@a.example"), ("", "b@a.example")]),
        ("Ada One <a@a.example>, Bob <b@a.example>", [("Ada One", "a@a.example"), ("Bob", "b@a.example")]),
        ("Ada;a@a.example\r\nBob;b@a.example", [("Ada", "a@a.example"), ("Bob", "b@a.example")]),
        ("a@a.example\tAda One", [("Ada One", "a@a.example")]),
        ("Ada\tOne\ta@a.example\tDoctor", [("Ada One", "a@a.example")]),
        ("\r\n <mailto:a@a.example>,\r\n\r\n(b@a.example)", [("", "a@a.example"), ("", "b@a.example")]),
        ("박지훈 <p@a.example>", [("박지훈", "p@a.example")]),
        ("Ada without an address", [("Ada without an address", "")]),
        ("Eva Stein eva.stein.walk.example", [("Eva Stein", "eva.stein.walk.example")]),
        ("Eva Stein, <eva.stein.walk.example>", [("Eva Stein", "eva.stein.walk.example")]),
        ("Email: eva.stein(at)walk.example", [("", "eva.stein(at)walk.example")]),
        ("Eva Stein <eva@walk,example>, k@a.example", [("Eva Stein", "eva@walk,example"), ("", "k@a.example")]),
        ("Eva\teva@walk,example\tDoctor", [("Eva", "eva@walk,example")]),
        ("eva@walk,k@a.example", [("", "eva@walk"), ("", "k@a.example")]),
        ("eva@walk,kim park <k@a.example>", [("", "eva@walk"), ("kim park", "k@a.example")]),
        ("Kim k@a.example, Eva Stein eva.walk.example", [("Kim", "k@a.example"), ("Eva Stein", "eva.walk.example")]),
        ("Kim Min, Ph.D.", [("Kim Min Ph.D.", "")]),
        ("Anna Meyer M.Sc.", [("Anna Meyer M.Sc.", "")]),
        ("Anna St.John", [("Anna St.John", "")]),
        ("Kim Min D.D.S", [("Kim Min D.D.S", "")]),
        ("Kim Min 8.30", [("Kim Min 8.30", "")]),
        ("Ada <ada@>", [("Ada", "ada@")]),
        (" ,;，、；،؛\n\t<>", []),
        ("hana@a.example <hana@a.example>", [("", "hana@a.example")]),
        ("'hana@a.example' <hana@a.example>", [("", "hana@a.example")]),
        ('"Hana@A.example" <hana@a.example>', [("", "hana@a.example")]),
        ("hana@a.example<mailto:hana@a.example>", [("", "hana@a.example")]),
        ("Hana hana@a.example <hana@a.example>", [("Hana", "hana@a.example")]),
        ("'Hana Park' <hana@a.example>", [("Hana Park", "hana@a.example")]),
        ("Bo O'Brien <bo@a.example>", [("Bo O'Brien", "bo@a.example")]),
        ("h@a.example，k@a.example、l@a.example；m@a.example", [("", f"{c}@a.example") for c in "hklm"]),
        ("h@a.example، k@a.example؛ l@a.example", [("", f"{c}@a.example") for c in "hkl"]),
        ("朴智勋 <p@a.example>；金 <k@a.example>", [("朴智勋", "p@a.example"), ("金", "k@a.example")]),
        ("Hana @ Clinic <h@a.example>", [("Hana @ Clinic", "h@a.example")]),
        ("Hana @ Clinic h@a.example", [("Hana @ Clinic", "h@a.example")]),
        ("Hana@Clinic <h@a.example>, k@a.example", [("Hana@Clinic", "h@a.example"), ("", "k@a.example")]),
        ('"Park, Hana @ Clinic" <h@a.example>', [("Park Hana @ Clinic", "h@a.example")]),
        ("k@a.example, Park, Hana <h@a.example>", [("", "k@a.example"), ("Park Hana", "h@a.example")]),
        ("Kim k@a.example; <h@a.example>", [("Kim", "k@a.example"), ("", "h@a.example")]),
        ("<a@a.example, b@a.example>", [("", "a@a.example"), ("", "b@a.example")]),
        ("MAILTO:a@a.example. Mailto:b@a.example", [("", "a@a.example"), ("", "b@a.example")]),
        ("Write to a@a.example.", [("Write to", "a@a.example")]),
        ("(a@a.example).", [("", "a@a.example")]),
        ("@", [("@", "")]),
        ("(...)", [("(...)", "")]),
        ("Hana <@>", [("Hana @", "")]),
        *[
            (f"山田太郎{a}y@a.example{b}", [("山田太郎", "y@a.example")])
            for a, b in ("（）", "＜＞", "【】", "《》", "()")
        ],
        *[(f"Kim Hana {a}k@a.example{b}", [("Kim Hana", "k@a.example")]) for a, b in ("「」", "“”", "«»", "„“", "[]")],
        *[
            (f"Kim Hana{a}k@a.example{b}", [("Kim Hana", "k@a.example")])
            for a, b in ("（）", "‹›", "“”", "［］", "〔〕")
        ],
        *[(f"金하나 k@a.example{end}", [("金하나", "k@a.example")]) for end in "！？。．…・!?"],
        *[
            (f"{label}k@a.example", [("", "k@a.example")])
            for label in ("メール：", "E-Mail:", "email: ", "邮箱：", "MAIL:")
        ],
        ("Имя Почта: k@a.example", [("Имя", "k@a.example")]),
        ("Kim:k@a.example", [("Kim", "k@a.example")]),
        *[
            (f"Kim {a}k@a.example{b}", [("Kim", "k@a.example")])
            for a, b in ("｢｣", "〖〗", "❝❞", "‚‘", "｛｝", "»«", "〝〟", "༺༻", "⟨⟩")
        ],
        ("k@a.example/l@a.example | m@a.example", [("", "k@a.example"), ("", "l@a.example"), ("", "m@a.example")]),
        ("Dr. O’Neil “n@a.example”", [("Dr. O’Neil", "n@a.example")]),
        ("「k@a.example」「l@a.example」", [("", "k@a.example"), ("", "l@a.example")]),
        ("k＠a.example", [("", "k@a.example")]),
        ("Kim k@a．example（nurse）", [("Kim", "k@a.example"), ("（nurse）", "")]),
        *[
            (f"{mark}k@a.example", [("", "k@a.example")])
            for mark in ("•", "→", "*", "☎", "- ", "-", "–", "·", "‣ ", "➔", "=", "📧", "••", "＊", "※")
        ],
        *[(f"Kim{mark}k@a.example", [("Kim", "k@a.example")]) for mark in ("—", "=", "→", " – ", " -> ", "=>", " • ")],
        ("•Kim k@a.example→l@a.example", [("Kim", "k@a.example"), ("", "l@a.example")]),
        ("k-x_y+z@a-b.example", [("", "k-x_y+z@a-b.example")]),
        ("k－x＋y＠a．example", [("", "k-x+y@a.example")]),
        ("k@a.example Kim, l@a.example Lee", [("Kim", "k@a.example"), ("Lee", "l@a.example")]),
        ("k@a.example Kim l@a.example Lee", [("Kim", "k@a.example"), ("Lee", "l@a.example")]),
        ("<k@a.example> Kim; <l@a.example> Lee", [("Kim", "k@a.example"), ("Lee", "l@a.example")]),
        ("• k@a.example Kim Hana、l@a.example Lee", [("Kim Hana", "k@a.example"), ("Lee", "l@a.example")]),
        ('k@a.example "Park, Hana"; l@a.example Lee', [("Park Hana", "k@a.example"), ("Lee", "l@a.example")]),
        ("k@a.example, Kim l@a.example", [("", "k@a.example"), ("Kim", "l@a.example")]),
        ("k@a.example Kim, Lee <l@a.example>", [("Kim", "k@a.example"), ("Lee", "l@a.example")]),
        ("Kim Hana（看護師） k@a.example", [("Kim Hana（看護師）", "k@a.example")]),
        ("Kim\u3000Hana\u00a0<k@a.exam\u00adple\u200b>", [("Kim Hana", "k@a.example")]),
        (
            "kim@xn--bcher-kva.example, Kim <kim@bücher.example>",
            [("", "kim@bücher.example"), ("Kim", "kim@bücher.example")],
        ),
        ("kim@bücher.example <kim@xn--bcher-kva.example>", [("", "kim@bücher.example")]),
        (
            'Kim\t"first\r\nsecond"\tk@a.example\r\nLee\t\tl@a.example',
            [
                ("Kim first second", "k@a.example"),
                ("Lee", "l@a.example"),
            ],
        ),
        ('"Lee\nMin"\tl@a.example', [("Lee Min", "l@a.example")]),
        ('"Lee Min\nl@a.example"', [("Lee Min", "l@a.example")]),
        ('"Kim ""Hana"" Park"\tk@a.example', [("Kim Hana Park", "k@a.example")]),
        ("Kim\u2028Hana\tk@a.example\x0b\x85", [("Kim Hana", "k@a.example")]),
        *[
            (f"{name}{label}{blank}k@a.example", [(name.strip(), "k@a.example")])
            for name in ("", "Kim Hana ")
            for blank in (" ", "")
            for label in (
                *("Email address:", "Adresse e-mail:", "Courriel :", "Correo electrónico:", "Электронная почта:"),
                *("E-Mail-Adresse:", "Mailadresse:", "E-mailadres:", "E-posta adresi:", "Adres e-mail:"),
                *(
                    "Indirizzo email:",
                    "Endereço de e-mail:",
                    "邮箱地址：",
                    "电子邮箱：",
                    "電子郵件地址：",
                    "이메일 주소:",
                    "Eメール：",
                    "メアド：",
                ),
                *("عنوان البريد الإلكتروني:", "ที่อยู่อีเมล:", "Địa chỉ email:", "Διεύθυνση e-mail:", "Adresă de e-mail:"),
                *("E-MAIL ADDRESS:", "Dirección de correo electrónico :", "E-mailová adresa:", "E-postadress:"),
            )
        ],
        ("Adresse e-mail: k@a.example, Kim Adresse e-mail: l@a.example", [("", "k@a.example"), ("Kim", "l@a.example")]),
        ("Address of Kim: k@a.example", [("Address of Kim", "k@a.example")]),
        *[(f"Kim Hana k@a.example{end}", [("Kim Hana", "k@a.example")]) for end in "؟۔।॥։።။៕¿՞⸮᠃︒﹒﹗"],
        *[(f"Kim{between}k@a.example", [("Kim", "k@a.example")]) for between in ("/", " / ", "|", " | ", "｜", "//")],
        ("k@a.example/Kim", [("Kim", "k@a.example")]),
        *[
            (f"{a}Kim, Hana{b} <k@a.example>", [("Kim Hana", "k@a.example")])
            for a, b in ("“”", "„“", "„”", "‟”", "❝❞", "〝〟", "＂＂")
        ],
        ("Lee <l@a.example>, “Kim, Hana” <k@a.example>", [("Lee", "l@a.example"), ("Kim Hana", "k@a.example")]),
        ("‘Kim Hana’ <k@a.example>", [("Kim Hana", "k@a.example")]),
        ("Kim “Hana” Park <k@a.example>", [("Kim Hana Park", "k@a.example")]),
        ("Kim&lt;k@a.example&gt;", [("Kim", "k@a.example")]),
        (
            "&quot;Kim, Hana&quot; &lt;k@a.example&gt;; Lee &#60;l@a.example&#62;",
            [("Kim Hana", "k@a.example"), ("Lee", "l@a.example")],
        ),
        ("Kim &amp; Lee <k@a.example>", [("Kim & Lee", "k@a.example")]),
        ("R&D <k@a.example>", [("R&D", "k@a.example")]),
        ("Kim Broken\tkim.broken(at)a.example", [("Kim Broken", "kim.broken(at)a.example")]),
        ("Ada\tada@a.example\nKim\tkim@", [("Ada", "ada@a.example"), ("Kim", "kim@")]),
        ("Kim\t\tk@a.example", [("Kim", "k@a.example")]),
        ("Kim\tkim at a.example", [("Kim", "kim at a.example")]),
        ("Kim\tkim at a.example\tnight shift", [("Kim", "kim at a.example"), ("night shift", "")]),
    ],
)
def test_names_and_addresses_are_found_in_any_format(text, people):
    assert [(person.name, person.email) for person in people_in(text)] == people


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Kim Hana k@a.example (Doctor)", [("Kim Hana", "k@a.example", "DOCTOR")]),
        ("Kim\tk@a.example\tStaff", [("Kim", "k@a.example", "STAFF")]),
        (
            "Kim k@a.example (Doctor), Lee <l@a.example> Staff; Min m@a.example",
            [("Kim", "k@a.example", "DOCTOR"), ("Lee", "l@a.example", "STAFF"), ("Min", "m@a.example", "")],
        ),
        ("k@a.example (Doctor), Lee l@a.example", [("", "k@a.example", "DOCTOR"), ("Lee", "l@a.example", "")]),
        ("Kim k@a.example (nurse)", [("Kim", "k@a.example", ""), ("(nurse)", "", "")]),
        ("Kim k@a.example, night shift", [("Kim", "k@a.example", ""), ("night shift", "", "")]),
        ("Kim\tkim(at)a.example\tDoctor", [("Kim", "kim(at)a.example", "DOCTOR")]),
        ("Kim\t\tStaff", [("Kim", "", "STAFF")]),
    ],
)
def test_remaining_words_are_the_type_or_a_row_without_an_address(text, people):
    assert people_in(text) == people


@pytest.mark.req("DM-41")
def test_a_pasted_type_is_chosen_in_its_row_and_remaining_words_are_reported(administrator):  # noqa: F811
    pasted = "Kim k@a.example (Doctor)\nLee l@a.example (night shift)"
    form = {"people": pasted, "user_type": "STAFF", "row": "0", "form_id": FORM_ID, "add_people": "1"}
    html = administrator.post(INVITE, form).content.decode()
    assert html.count('<option value="DOCTOR" selected>') == 1
    assert 'value="(night shift)"' in html
    assert marked(html) == [("row-3-email", "Enter email")]


@pytest.mark.req("UC-06", "DM-11", "DM-41")
def test_five_pasted_people_become_rows_with_the_shared_type_and_team_and_are_invited(administrator, upstream, visit):  # noqa: F811
    visit(INVITE)
    form = {"people": FIVE, "user_type": "STAFF", "team_id": "t-1", "row": "0", "form_id": FORM_ID}
    html = administrator.post(INVITE, {**form, "add_people": "1"}).content.decode()
    assert "5 users added to the list." in html
    assert html.count('name="row"') == 5, "the empty row is gone"
    for text in ('value="Ada One"', 'value="ed@a.example"', 'value="Di Four"'):
        assert text in html
    assert html.count('<option value="STAFF" selected>') == 6
    assert html.count('<option value="t-1" selected>') == 6
    assert upstream.bodies("POST", CALL) == []
    numbers = [str(number) for number in range(1, 6)]
    names = ("Ada One", "Bob Two", "Cy Three", "Di Four", "Ed Five")
    people = {"row": numbers, "user_type": "STAFF", "people": "", "form_id": field(html, "form_id")}
    for number, name in zip(numbers, names, strict=True):
        people |= {f"row-{number}-name": name, f"row-{number}-email": f"{name[:2].lower()}@a.example"}
    assert administrator.post(INVITE, people).status_code == 303
    assert [(user["name"], user["userType"]) for user in upstream.bodies("POST", CALL)] == [
        (name, "STAFF") for name in names
    ]


def test_pasted_people_are_shown_before_they_are_invited_and_typed_rows_stay(administrator, upstream):  # noqa: F811
    html = administrator.post(INVITE, rows(("Ada", "ada@a.example"), people="Bob <bob@a.example>")).content.decode()
    for text in ('value="Ada"', 'value="Bob"', "1 user added to the list."):
        assert text in html
    assert html.count('name="row"') == 2
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("DM-41")
@pytest.mark.parametrize("ending", ["", "\nLee\tl@a.example", '\nLee\tl@a.example\tthe 5"'])
def test_a_quotation_mark_that_is_not_closed_is_reported_with_its_row_and_nothing_is_lost(administrator, ending):  # noqa: F811
    text = f'Ada\ta@a.example\n"Kim\tk@a.example{ending}'
    response = administrator.post(INVITE, {"people": text, "row": "0", "add_people": "1"})
    assert response.status_code == 422
    assert "Row 2 has an unclosed quotation mark." in response.content.decode()
    assert text.replace('"', "&#34;") in response.content.decode().replace("&quot;", "&#34;")


@pytest.mark.slow
def test_the_cost_of_pasted_text_is_linear_in_its_length():
    for part in (
        "a",
        "a@",
        "(",
        "（a",
        "a\t",
        '"',
        '"\t',
        '""',
        "：",
        '"a\n',
        "「a@a.example」",
        "<a@a>",
        "•",
        "•a@",
        "a@a b, ",
        "a.bc",
        "a.bc ",
    ):
        assert is_linear(people_in, lambda length: part * (length // len(part))), part  # noqa: B023


def test_too_many_people_stay_where_they_were_pasted(administrator, upstream):  # noqa: F811
    text = ", ".join(f"u{number}@a.example" for number in range(21))
    response = administrator.post(INVITE, {"people": text, "row": "0", "add_people": "1"})
    html = response.content.decode()
    assert response.status_code == 422
    assert "You can invite up to 20 users at a time." in html
    assert text in html
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("VA-14", "DM-02", "DM-41")
def test_a_repeated_address_is_reported_at_its_row_and_no_one_is_invited(administrator, upstream):  # noqa: F811
    people = ("Ada", "ada@a.example"), ("Bob", "bob@a.example"), ("Ada again", "ADA@a.example")
    response = administrator.post(INVITE, rows(*people))
    html = response.content.decode()
    assert response.status_code == 422
    assert html.count("User 1 has the same email address.") == 2, "above and at its field"
    assert "already in use" not in html
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("UC-06")
def test_an_invitation_from_the_list_of_all_users_offers_clinics_and_their_teams(administrator, upstream, visit):  # noqa: F811
    clinics = factories.listing([factories.clinic(), factories.clinic(2, name="Harbour Clinic")])
    upstream.answers("GET", "/v1/bizMainGroups", clinics)
    assert f'href="{ALL}"' in administrator.get("/user-manage/user").content.decode()
    page = visit(ALL)
    assert [field.attributes["name"] for field in page.all("main form.form [autofocus]")] == ["clinic_id"]
    assert '<option value="t-1"' not in page.html
    added = administrator.post(ALL, rows(("Ada", ""), clinic_id="", add_row="1")).content.decode()
    assert re.findall(r'<(?:input|select)[^>]*name="([^"]+)"[^>]* autofocus', added) == ["row-1-name"]
    form = rows(("Ada", "ada@a.example"), clinic_id="g-2")
    html = administrator.post(ALL, {**form, "show_teams": "1"}).content.decode()
    assert '<option value="g-2" selected>' in html
    assert '<option value="t-1"' in html
    assert 'value="Ada"' in html
    assert "mainGroupId=g-2" in upstream.calls("GET", "/v1/bizSubGroups")[-1].url
    answer = administrator.post(ALL, {**form, "show_teams": "1"}, headers={"Accept": "application/json"}).json()
    assert answer["item"] == [["", "No team"], ["t-1", "Team 1"]]
    assert upstream.bodies("POST", CALL) == []
    response = administrator.post(ALL, {**form, "back": "/user-manage/user?keyword=x"})
    assert (response.status_code, response.headers["Location"]) == (303, "/user-manage/user?keyword=x")
    assert upstream.bodies("POST", CALL)[0]["mainGroupId"] == "g-2"


@pytest.mark.req("PM-20")
@pytest.mark.parametrize("clinic", ["", "g-9", "../x"])
def test_without_a_clinic_of_the_organization_no_one_is_invited(administrator, upstream, clinic):  # noqa: F811
    clinics = factories.listing([factories.clinic(), factories.clinic(2)])
    upstream.answers("GET", "/v1/bizMainGroups", clinics)
    response = administrator.post(ALL, rows(("Ada", "ada@a.example"), clinic_id=clinic))
    assert response.status_code == 422
    assert upstream.bodies("POST", CALL) == []
    assert 'value="Ada"' in response.content.decode()


def test_an_organization_without_clinics_has_a_page(administrator, upstream):  # noqa: F811
    upstream.answers("GET", "/v1/bizMainGroups", factories.listing([]))
    assert administrator.get(ALL).status_code == 200


@pytest.mark.req("DM-41")
def test_a_missing_type_is_requested_before_anything_is_sent(administrator):  # noqa: F811
    message = '<a href="#id_user_type">Choose one type for all users, or a type in each row.</a>'
    pasted = {"people": FIVE, "row": "0", "add_people": "1"}
    assert message in administrator.post(INVITE, pasted).content.decode()
    assert message not in administrator.post(INVITE, {**pasted, "user_type": "STAFF"}).content.decode()


@pytest.mark.req("DM-41")
@pytest.mark.parametrize("more", [{"people": FIVE, "add_people": "1"}, {"add_row": "1"}])
def test_rows_that_are_added_after_the_highest_possible_number_are_sent(administrator, more):  # noqa: F811
    form = {"row": "999", "row-999-name": "Ada", "row-999-email": "ada@a.example", **more}
    html = administrator.post(INVITE, form).content.decode()
    numbers = re.findall(r'name="row" value="(\d+)"', html)
    assert len(numbers) == (6 if "people" in more else 2)
    resubmitted = administrator.post(INVITE, {"row": numbers, "show_teams": "1"}).content.decode()
    assert re.findall(r'name="row" value="(\d+)"', resubmitted) == numbers


@pytest.mark.parametrize("people", [[("", "")], [("", ""), ("", "")], [("Ada", "ada@a.example")]])
def test_pasted_text_without_people_is_reported_and_the_input_stays(administrator, upstream, people):  # noqa: F811
    response = administrator.post(INVITE, rows(*people, people=" ,; ", add_people="1"))
    html = response.content.decode()
    assert response.status_code == 422
    assert html.count("No names or email addresses found.") == 2, "above and at its field"
    named = [name for name, _email in people if name]
    assert re.findall(r'name="row-\d+-name" value="(.*?)"', html) == named
    assert " ,; </textarea>" in html
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.parametrize(
    ("people", "message"),
    [
        ("Bob <bob@a.example>", "Review the list before you send the invitations."),
        (" ,; ", "No names or email addresses found."),
        (", ".join(f"u{number}@a.example" for number in range(21)), "You can invite up to 20 users at a time."),
    ],
)
def test_a_script_that_sends_pasted_people_gets_an_error_and_invites_no_one(administrator, upstream, people, message):  # noqa: F811
    form = rows(("Ada", "ada@a.example"), people=people)
    response = administrator.post(INVITE, form, headers={"Accept": "application/json"})
    assert response.status_code == 422
    answer = response.json()
    assert not answer["ok"]
    assert message in answer["errors"]["people"][0]
    assert upstream.bodies("POST", CALL) == []


def next_form(client, **values):
    """Return the form data of the page that answers this form, as a browser without scripts sends it."""
    html = client.post(INVITE, {"form_id": FORM_ID, **values}).content.decode()
    form = html[html.index('<form class="form card"') :]
    data = {"row": re.findall(r'name="row" value="(\d+)"', form), "form_id": FORM_ID, "several": "1"}
    data |= re.findall(r'<input[^>]*name="((?:row-|applied_|checked)[^"]*)"[^>]*? value="([^"]*)"', form)
    for name, options in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        data[name] = next(iter(re.findall(r'value="([^"]*)" selected', options)), "")
    return data


def invited(upstream):
    return [(user["name"], user["userType"], user.get("subGroupId")) for user in upstream.bodies("POST", CALL)]


@pytest.mark.req("DM-41")
def test_a_value_for_all_that_was_changed_without_a_script_is_shown_in_the_rows_before_it_is_sent(
    administrator,  # noqa: F811
    upstream,
):
    pasted = "Ada\ta@a.example\nBob\tb@a.example\nCy\tc@a.example"
    form = next_form(administrator, people=pasted, user_type="DOCTOR", add_people="1")
    form |= {"row-2-user_type": "STAFF", "row-3-team_id": "t-1", "user_type": "STAFF"}
    filled = next_form(administrator, **form)
    assert invited(upstream) == []
    assert [filled[f"row-{number}-user_type"] for number in "123"] == ["STAFF"] * 3
    html = administrator.post(INVITE, {**form, "team_id": "t-1", "row-2-user_type": "DOCTOR"}).content.decode()
    assert "Review the list before you send the invitations." in html
    assert invited(upstream) == []
    filled = next_form(administrator, **{**filled, "user_type": "DOCTOR", "row-2-user_type": "DOCTOR"})
    filled = next_form(administrator, **{**filled, "row-1-user_type": "STAFF", "team_id": "t-1"})
    assert administrator.post(INVITE, filled).status_code == 303
    assert invited(upstream) == [("Ada", "STAFF", "t-1"), ("Bob", "DOCTOR", "t-1"), ("Cy", "DOCTOR", "t-1")]


@pytest.mark.req("DM-41")
def test_the_rows_that_are_shown_before_they_are_sent_report_existing_users(administrator, upstream):  # noqa: F811
    emails_in_use(upstream, "user1@clinic.example")
    form = next_form(administrator, people="Di\tuser1@clinic.example", user_type="DOCTOR", add_people="1")
    html = administrator.post(INVITE, {**form, "user_type": "STAFF"}).content.decode()
    assert marked(html) == [("row-1-email", MARKED[3][1])]
    assert '<option value="DOCTOR" selected>' not in html


@pytest.mark.req("DM-41")
def test_a_type_that_is_chosen_for_all_is_in_the_rows_of_the_next_page(administrator):  # noqa: F811
    form = next_form(administrator, people="Ada\ta@a.example", add_people="1") | {"user_type": "DOCTOR"}
    assert form["row-1-user_type"] == ""
    for more in ({"people": "Bob\tb@a.example", "add_people": "1"}, {"add_row": "1"}, {"show_teams": "1"}):
        filled = next_form(administrator, **form, **more)
        assert {value for name, value in filled.items() if name.endswith("user_type")} == {"DOCTOR"}


@pytest.mark.req("DM-41")
def test_a_team_for_all_that_another_clinic_does_not_have_is_not_that_of_the_rows(administrator):  # noqa: F811
    form = next_form(administrator, people="Ada\ta@a.example", team_id="t-9", add_people="1")
    assert (form["applied_team_id"], form["row-1-team_id"]) == ("", "")
    assert next_form(administrator, **{**form, "team_id": "t-1"})["row-1-team_id"] == "t-1"


DOUBTFUL = """Ada <ada@a.example>, Ada again <ADA@a.example>
<bob@a.example>
Cy without an address
Di <user1@clinic.example>, Ed <user2@clinic.example>, Flo <elsewhere@b.example>"""


def emails_in_use(upstream, *emails):
    """Let these addresses be in use; the first two belong to users of Clinic 1, the second to an expired invitation."""

    def exist(call):
        return 200, {}, json.dumps({"resultCount": int(any(quote(email) in call.url for email in emails))})

    upstream.remove("GET", "/v1/bizUsers/exist")
    upstream.callback("GET", "/v1/bizUsers/exist", exist)
    people = [factories.user(), factories.user(2, status="INVITATION_EXPIRED")]
    upstream.answers("GET", "/v1/bizUsers", factories.listing(people))


def marked(html):
    """Return the messages at the fields of the rows."""
    matches = re.findall(r'id="id_(row-\d+-\w+)_error">.*?<span>(.*?)</span>', one_line(html))
    return [(name, unescape(message)) for name, message in matches]


MARKED = [
    ("row-2-email", "User 1 has the same email address."),
    ("row-3-name", "Enter name"),
    ("row-4-email", "Enter email"),
    ("row-5-email", "This user already belongs to \u2068Clinic 1\u2069."),
    ("row-6-email", "This user was already invited to \u2068Clinic 1\u2069. The invitation has expired. Resend it."),
    ("row-7-email", "This email is already in use"),
]


@pytest.mark.req("DM-41", "DM-02", "VA-14")
def test_errors_of_pasted_people_are_reported_at_their_rows_before_anyone_is_invited(administrator, upstream):  # noqa: F811
    emails_in_use(upstream, "user1@clinic.example", "user2@clinic.example", "elsewhere@b.example")
    form = {"people": DOUBTFUL, "row": "0", "form_id": FORM_ID, "add_people": "1"}
    html = administrator.post(INVITE, form).content.decode()
    assert marked(html) == MARKED, "that a type is missing is told when they are sent: there may be one for all"
    assert "Fix 6 rows before you send the invitations:" in html
    assert '<a href="#id_row-3-name">\u2068bob@a.example\u2069: Enter name</a>' in html
    assert upstream.bodies("POST", CALL) == []
    numbers = re.findall(r'name="row" value="(\d+)"', html)
    form_data = {"row": numbers, "form_id": FORM_ID, "checked": field(html, "checked"), "remove": "2"}
    for name, value in re.findall(r'<input[^>]*name="(row-\d+-\w+)"[^>]*?(?: value="([^"]*)")', html):
        form_data[name] = value
    html = administrator.post(INVITE, form_data).content.decode()
    assert marked(html) == MARKED[1:], "the others are still marked"
    assert "Fix 6 problems:" in html, "and a type is missing"
    assert '<a href="#id_user_type">Choose one type for all users, or a type in each row.</a>' in html
    assert '<a href="#id_row-3-name">\u2068bob@a.example\u2069: Enter name</a>' in html
    html = administrator.post(INVITE, {**form_data, "remove": "", "add_row": "1"}).content.decode()
    assert marked(html) == MARKED, "and the new row is not"
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("DM-41", "DM-02", "VA-14")
def test_all_errors_are_reported_each_time_the_form_is_sent(administrator, upstream):  # noqa: F811
    emails_in_use(upstream, "user1@clinic.example", "user2@clinic.example", "elsewhere@b.example")
    form = next_form(administrator, people=DOUBTFUL, user_type="STAFF", add_people="1")
    html = administrator.post(INVITE, form).content.decode()
    assert marked(html) == MARKED
    assert marked(administrator.post(INVITE, {**form, "row-3-name": "Bob"}).content.decode()) == [
        mark for mark in MARKED if mark[0] != "row-3-name"
    ]
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("DM-41", "DM-02")
def test_a_row_without_a_type_stays_marked_after_the_form_was_sent(administrator):  # noqa: F811
    form = rows(("Ada", "ada@a.example"), ("Bob", "bob@a.example"))
    form |= {"row-0-user_type": "", "row-1-user_type": ""}
    filled = next_form(administrator, **form)
    html = administrator.post(INVITE, {**filled, "remove": "0"}).content.decode()
    assert marked(html) == [("row-1-user_type", "Choose a type")]


@pytest.mark.req("DM-41", "DM-44")
@pytest.mark.parametrize(
    "more", [{"people": "Bob\tbob@a.example", "add_people": "1"}, {"add_row": "1"}, {"remove": "0"}]
)
def test_a_page_with_other_rows_shows_the_counts_even_if_none_are_known(administrator, upstream, more):  # noqa: F811
    upstream.answers("GET", "/v1/bizDashboards/summary", factories.summary(unreadNotificationCount=2))
    people = ("Ada", "ada@a.example"), ("Bea", "bea@a.example")
    html = administrator.post(INVITE, rows(*people, **more)).content.decode()
    assert 'aria-label="Notifications, 2 unread"' in html


@pytest.mark.req("DM-41", "DM-02")
@pytest.mark.parametrize(
    ("status", "text"),
    {
        "ACTIVE": "This user already belongs to \u2068Clinic 1\u2069.",
        "LOCKED": "This user already belongs to \u2068Clinic 1\u2069 and is locked. Unlock the user instead.",
        "INVITED": "This user was already invited to \u2068Clinic 1\u2069.",
        "INVITATION_EXPIRED": (
            "This user was already invited to \u2068Clinic 1\u2069. The invitation has expired. Resend it."
        ),
        "A NEW STATUS": "This user already belongs to \u2068Clinic 1\u2069.",
    }.items(),
)
def test_an_email_in_use_is_reported_with_the_state_of_its_user(administrator, upstream, status, text):  # noqa: F811
    emails_in_use(upstream, "user1@clinic.example")
    upstream.answers("GET", "/v1/bizUsers", factories.listing([factories.user(status=status)]))
    form = rows(("Ada", "user1@clinic.example"))
    answer = administrator.post(INVITE, form, headers={"Accept": "application/json"}).json()
    assert answer["errors"]["row-0-email"] == [text]
    html = administrator.post(INVITE, {**form, "form_id": FORM_ID}).content.decode()
    assert [unescape(message) for _name, message in marked(html)] == [text]
    assert upstream.bodies("POST", CALL) == []


@pytest.mark.req("DM-41")
@pytest.mark.parametrize(("call", "messages"), [("/exist", []), ("", ["This email is already in use"])])
def test_pasted_people_are_shown_even_if_existing_users_can_not_be_read(administrator, upstream, call, messages):  # noqa: F811
    emails_in_use(upstream, "user1@clinic.example")
    upstream.remove("GET", f"/v1/bizUsers{call}")
    upstream.answers("GET", f"/v1/bizUsers{call}", {}, status=500)
    form = {"people": "Di <user1@clinic.example>", "row": "0", "add_people": "1"}
    response = administrator.post(INVITE, form)
    assert response.status_code == 200
    assert [text for _name, text in marked(response.content.decode())] == messages


@pytest.mark.req("DM-41", "DM-02")
def test_the_state_of_an_existing_user_is_also_reported_when_the_form_is_sent(administrator, upstream):  # noqa: F811
    emails_in_use(upstream, "user1@clinic.example")
    html = administrator.post(INVITE, rows(("Di", "user1@clinic.example"))).content.decode()
    assert marked(html) == [("row-0-email", MARKED[3][1])]
    assert upstream.bodies("POST", CALL) == []
