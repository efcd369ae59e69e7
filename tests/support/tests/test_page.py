"""The reading of pages that other tests rely on."""

import pytest

from tests.support.page import Page

HTML = """<!doctype html><html><head><title> Users  – Console </title><style>p { color: red }</style></head><body>
<h1>Users in <bdi>\u2068Clinic 1\u2069</bdi></h1><script>const a = 1;</script>
<ul class="messages"><li class="alert" data-tone="success"><svg></svg><div>User invited.</div></li></ul>
<table><thead><tr><th>Name</th><th>Type</th></tr></thead>
<tbody><tr><th><a href="/u-1">Ada &amp; Co</a></th><td>Doctor</td></tr><tr><th>Bo</th><td></td></tr></tbody></table>
<main><form action="/save" method="post">
<input type="hidden" name="version" value="2"><input name="name" value="Ada" aria-invalid="true" aria-describedby="e h">
<p id="h">Help</p><p class="field-error" id="e"><svg></svg>Enter a name.</p>
<select name="type"><option value="D">Doctor</option><option value="S" selected>Staff</option></select>
<select name="empty"><option>First</option><option>Second</option></select>
<label><input type="checkbox" name="id" value="1" checked>One</label>
<label><input type="checkbox" name="id" value="2" checked>Two</label>
<label><input type="checkbox" name="id" value="3">3</label>
<input type="radio" name="way" value="a"><input type="radio" name="way" value="b" checked>
<textarea name="note">
two
lines</textarea><input name="off" value="x" disabled>
<input type="file" name="file"><button name="go" value="1">Save</button>
</form></main></body></html>"""


@pytest.fixture
def page():
    return Page(HTML)


def test_what_can_be_read(page):
    assert (page.title, page.heading) == ("Users – Console", "Users in Clinic 1")
    assert page.messages == ["User invited."]
    assert page.errors == {"name": "Enter a name."}
    assert "Ada & Co Doctor Bo" in page.text
    assert "const a" not in page.text
    assert page.links == {"Ada & Co": "/u-1"}
    assert page.rows == [{"Name": "Ada & Co", "Type": "Doctor"}, {"Name": "Bo", "Type": ""}]


def test_a_form_has_the_values_that_a_browser_would_send(page):
    form = page.form()
    assert (form.action, form.method) == ("/save", "post")
    assert form.values == {
        "version": "2",
        "name": "Ada",
        "type": "S",
        "empty": "First",
        "id": ["1", "2"],
        "way": "b",
        "note": "two\nlines",
    }
    assert form.options("type") == {"D": "Doctor", "S": "Staff"}
    assert form.options("id") == {"1": "One", "2": "Two", "3": "3"}
    assert form.fields["name"]["aria-invalid"] == "true"
    assert [each.action for each in page.forms] == ["/save"]


def test_one_element_is_exactly_one(page):
    assert page.one("h1").tag == "h1"
    with pytest.raises(AssertionError, match="2 elements match tbody tr"):
        page.one("tbody tr")
    with pytest.raises(AssertionError, match="0 elements match dialog"):
        page.one("dialog")
