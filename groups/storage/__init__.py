"""What the console itself keeps for user management."""
