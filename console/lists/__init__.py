"""Lists: what can be asked of one, what was asked, and how the answer looks."""
