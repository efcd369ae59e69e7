"""What was changed in this console, by whom, from what to what: recorded as it is done, and read again."""
