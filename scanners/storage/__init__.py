"""What the console itself keeps for scanners: the serial numbers that an organization expects."""
