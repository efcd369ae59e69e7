"""What the account's public pages read: the operator's texts, the server locations."""
