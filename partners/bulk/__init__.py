"""Bulk actions, one module per noun."""
