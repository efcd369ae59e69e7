"""Tests of the sandbox, over HTTP only."""
