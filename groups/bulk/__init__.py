"""Bulk actions: one module for each noun."""
