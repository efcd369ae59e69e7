"""The telephone: the typed client of the upstream service; it knows neither Django, nor sessions, nor translation."""
