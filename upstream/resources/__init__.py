"""The service's nouns: one module for each, with its objects and its calls."""
