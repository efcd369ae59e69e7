"""Lists as files: exported, and imported row by row."""
