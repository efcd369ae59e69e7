"""The reference: a small Django site whose one page is the limit for pages of the console's kind."""
