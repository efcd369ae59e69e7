"""Forms: a single way to write, and everything that a write needs."""
