"""Lists as files: one module for each noun."""
