"""Props of islands and answers to behaviors: one module for each noun."""
