"""The typed client of the upstream service. It knows nothing of Django, sessions or translation."""
