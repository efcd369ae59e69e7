"""Screens as classes: what all screens of one kind share, from their routes to their answers."""
