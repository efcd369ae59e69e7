"""Fixtures of all tests but the browser's: console/testing/fixtures.py."""

pytest_plugins = ["console.testing.fixtures"]
