"""Bulk actions: declared once, then planned, performed and reported."""
