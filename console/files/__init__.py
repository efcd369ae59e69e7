"""Export lists as files, and import rows from files."""
