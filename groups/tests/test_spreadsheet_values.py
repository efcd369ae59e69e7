"""Errors of spreadsheet programs, and numbers that they shortened, are refused in files of clinics."""

import pytest

from groups.forms.files import ClinicRow


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("text", ["#N/D", "4.5E+15"])
def test_every_text_column_refuses_spreadsheet_faults(text):
    form = ClinicRow(dict.fromkeys(("name", "info"), text))
    refused = {name for name, errors in form.errors.get_json_data().items() if errors[0]["code"] == "cell"}
    assert refused == {"name", "info"}
