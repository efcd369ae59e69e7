"""What was changed in this console, by whom, from what to what: noted as it is done, and read again."""
