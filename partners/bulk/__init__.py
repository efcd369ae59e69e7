"""What can be done to many rows at once: one module for each noun."""
