"""Exports of lists, one module per noun."""
