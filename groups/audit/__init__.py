"""Audit entries of user management: one module for each noun; `kinds` has the labels of all."""
