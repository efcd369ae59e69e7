"""The translators' site at /translate/: their accounts, the texts of a language, edits and their history.

The view of a catalog (search, line ends) is Rosetta's; docs/translating.md lists the replaced parts.
"""
