"""Data that the console stores for user management."""
