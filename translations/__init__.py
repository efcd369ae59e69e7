"""The translators' site at /translate/: their accounts, the texts of a language, edits and their history.

Of Rosetta it has the view of a catalog (search, line ends); docs/translating.md says what was replaced.
"""
