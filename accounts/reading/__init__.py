"""Data of the account's public pages: the operator's texts, the server locations."""
