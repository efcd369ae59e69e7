"""Exports and imports: one module for each noun."""
