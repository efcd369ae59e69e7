"""Forms: one way to write, and everything a write needs."""
