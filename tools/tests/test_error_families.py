import pytest

from tools.error_families import faults


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from upstream.errors import Refused\nraise Refused('no')", ["Refused"]),
        ("from upstream.errors import NotFound as Missing\nraise Missing", ["NotFound"]),
        ("from upstream import errors\nerror = errors.Failed(status=500)", ["Failed"]),
        ("from upstream.errors import Limited\nclass Throttled(Limited): ...", ["Limited"]),
        ("from upstream.errors import NotDone\ntry: ...\nexcept NotDone:\n    raise", []),
        ("from upstream.errors import NotDone\nmatch error:\n    case NotDone(): ...", []),
        ("from upstream.errors import FieldError\nFieldError('name')", []),
        ("from console.errors import Rejected\nraise Rejected", []),
    ],
)
def test_finds_errors_of_the_client_that_another_module_makes(text, names):
    assert {name for _line, name in faults(text)} == set(names)
