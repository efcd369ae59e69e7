"""Benchmarks: the cost of a page of the console, compared with the minimum for such a page."""
