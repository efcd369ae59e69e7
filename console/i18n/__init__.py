"""Languages: which one a request gets, its catalog, and the same texts for the islands."""
