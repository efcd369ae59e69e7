"""Tests of the upstream client. Only HTTP is faked."""
