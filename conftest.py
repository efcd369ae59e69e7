"""Fixtures of all tests but the browser's: console/testing/fixtures.py, and the rows that apps keep themselves."""

pytest_plugins = ["console.testing.fixtures", "console.testing.catalogs", "scanners.tests.storing"]
