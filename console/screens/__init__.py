"""Screens as classes: each base class has everything that screens of its kind share, from routes to responses."""
