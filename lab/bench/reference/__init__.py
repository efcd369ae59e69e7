"""The reference: a small Django site whose only page is the yardstick for pages of the console."""
