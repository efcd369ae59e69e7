"""Spreadsheet errors and shortened numbers are refused in expected serial numbers."""

import pytest
from django.core.exceptions import ValidationError

from scanners.forms.expected_serials import ExpectedRow, SerialNumberField


@pytest.mark.req("DM-42", "LS-11")
@pytest.mark.parametrize("text", ["#N/D", "4.5E+15"])
def test_every_text_column_refuses_them(text):
    form = ExpectedRow(dict.fromkeys(tuple(ExpectedRow.base_fields), text))
    refused = {name for name, errors in form.errors.get_json_data().items() if errors[0]["code"] == "cell"}
    assert refused == set(ExpectedRow.base_fields)


def test_the_serial_number_field_refuses_them():
    for text in ("#BEZUG!", "1,23457E+11"):
        with pytest.raises(ValidationError) as refused:
            SerialNumberField(label="Serial number").clean(text)
        assert [error.code for error in refused.value.error_list] == ["cell"]
