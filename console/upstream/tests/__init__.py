"""Tests of the telephone: the HTTP line is faked, nothing else is."""
