"""The languages' room: which one a request gets, its catalogue, and the same texts for the islands."""
