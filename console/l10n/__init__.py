"""Localization of values: rules of user input, names of any direction inside sentences, countries, dates."""
