"""The long proofs in small. Each repeats what shorter tests prove, under load and for longer.

Some are in `make soak` only, because they take minutes or say nothing in small: the upgrade of two hosts, the switch of
one under load, the stampedes, the translators, the wrong logins and the times of answers about emails. `test_switch.py`
proves that no request fails during a switch; `test_stampede.py` and the two hosts below prove that a stampede makes one
refresh.
"""

import pytest

from lab.soak import (
    activity,
    faults,
    forms,
    fuzz,
    hosts,
    kills,
    languages,
    redirects,
    slow,
)
from lab.soak.system import Report

pytestmark = pytest.mark.slow


@pytest.mark.req("SEC-50", "SEC-56")
def test_no_acknowledged_write_is_lost_or_doubled_when_workers_are_killed():
    report = kills.run(2)
    assert report.counts["answers lost"] > 0, "nobody was cut off, so nothing is proved"
    assert report.wrong == []


@pytest.mark.req("SEC-112", "SEC-56")
def test_each_acknowledged_write_has_its_entry_once_although_workers_are_killed():
    report = activity.run(60)
    assert report.counts["answers lost"] > 0, "nobody was cut off, so nothing is proved"
    assert report.wrong == []


@pytest.mark.req("SEC-50", "SEC-56", "ST-11")
def test_two_hosts_know_the_same_and_the_death_of_one_loses_nothing():
    report = hosts.run(1)
    assert report.counts["refreshes during the run"] > 0, "no session met an ended token, so nothing is proved"
    assert report.wrong == []


@pytest.mark.req("SEC-56")
def test_odd_requests_make_no_error_of_ours_and_show_no_secret():
    report = fuzz.run(600, seed=1)
    assert report.counts["requests"] == 600
    assert report.counts["odd"] > 200
    assert report.wrong == []


@pytest.mark.req("SEC-56")
def test_faults_in_random_order_are_answered_rightly():
    report = faults.run(30)
    assert report.counts["cases"] >= 30
    assert report.wrong == []


@pytest.mark.req("SEC-56")
def test_slow_clients_slow_no_one_else_down():
    report = slow.run(40)
    # While other tests run, the time of a page proves nothing; `make soak` compares it.
    assert [text for text in report.wrong if "took" not in text] == []


@pytest.mark.req("SEC-09", "VA-37", "ER-36")
def test_whatever_is_typed_into_the_forms_of_the_account_it_comes_back_and_no_password_shows():
    report = forms.run(200, seed=1)
    assert report.counts["posts"] == 200
    assert report.counts["forms shown again"] > 50
    assert report.counts["answers 303"] > 20, "nothing was right, so little is proved"
    assert report.wrong == []


@pytest.mark.req("SEC-05")
def test_no_address_that_is_sent_leads_to_another_site():
    report = redirects.run(300, seed=1)
    assert report.counts["addresses"] == 300
    assert report.wrong == []


@pytest.mark.req("LN-32", "AX-10")
def test_every_screen_is_looked_at_on_three_widths(browser, console):
    report = Report()
    languages.check_pages(report, console, browser, "ko-KR", 3)
    assert report.counts["pages"] == 9
    assert report.wrong == []
