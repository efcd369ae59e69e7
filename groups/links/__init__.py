"""Addresses of user management: one module for each noun."""
