"""The audit trail of this console: record who changed what, with old and new values, and read it."""
