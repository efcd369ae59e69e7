"""What is written: the rules of typed values, names of any direction inside sentences, countries, dates."""
