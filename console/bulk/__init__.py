"""One action on many rows: declared once, planned, carried out, told."""
