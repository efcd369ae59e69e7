"""Terms, privacy, about: the operator's texts, in the reader's language or in English."""

import pytest

from tests.support.reading import words

PATHS = ["/terms", "/privacy", "/about"]


@pytest.fixture
def texts(settings, tmp_path):
    """The folder of the operator's texts."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "texts").mkdir()
    return tmp_path / "texts"


@pytest.mark.req("RT-29")
@pytest.mark.parametrize("path", PATHS)
def test_a_missing_text_has_a_placeholder_that_says_so(visit, upstream, db, path):
    page = visit(path)
    assert "This is a placeholder. The text isn't available yet." in words(page.response)
    assert "Version:" not in words(page.response)


@pytest.mark.req("RT-29")
def test_a_text_is_shown_with_its_version_and_date(visit, upstream, db, texts):
    (texts / "terms.en-US.txt").write_text(
        "Version: 2026-01\nDate: 2026-01-31\n\n# Use\n\nYou may use it\nas you like.\n\n- One\n- <b>Two</b>\n"
    )
    page = visit("/terms")
    html = page.response.content.decode()
    assert "<h2>Use</h2>" in html
    assert "<p>You may use it as you like.</p>" in html
    assert "<li>One</li><li>&lt;b&gt;Two&lt;/b&gt;</li>" in html
    assert "Version: 2026-01" in words(page.response)
    assert "Date: Jan 31, 2026" in words(page.response)
    assert "placeholder" not in words(page.response)


@pytest.mark.req("RT-29", "AX-14")
def test_the_readers_language_comes_first_and_english_is_marked(visit, upstream, db, texts):
    (texts / "privacy.en-US.txt").write_text("Version: 1\n\nEnglish words.")
    html = visit("/privacy", lng="de-DE").response.content.decode()
    assert '<div class="document-text" lang="en-US" dir="ltr">' in html
    (texts / "privacy.de-DE.txt").write_text("Version: 1\n\nDeutsche Worte.")
    html = visit("/privacy", lng="de-DE").response.content.decode()
    assert "Deutsche Worte." in html
    assert 'lang="en-US"' not in html.split("document-text")[1].split("</main>")[0]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"Date: soon\n\nWords"])
def test_an_odd_file_causes_no_error(client, upstream, db, texts, content):
    (texts / "about.en-US.txt").write_bytes(content)
    assert client.get("/about").status_code == 200


@pytest.mark.req("RT-29", "AX-07")
@pytest.mark.parametrize("path", ["/login", "/version", "/maintenance", "/user-manage/clinic", *PATHS])
def test_the_footer_links_to_the_texts_and_support_on_each_page_in_the_same_order(admin_client, upstream, path):
    if path == "/login":
        admin_client.cookies.clear()
    upstream.has_clinic()
    html = admin_client.get(path).content.decode()
    foot = html.split("<footer")[-1] if "<footer" in html else ""
    if path == "/maintenance":
        assert "mailto:support@console.example" in html
        return
    positions = [foot.find(f'href="{href}"') for href in ("mailto:support@console.example", *PATHS, "/version")]
    assert positions == sorted(positions)
    assert min(positions) > 0
