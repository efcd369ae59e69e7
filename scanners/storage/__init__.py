"""Storage of the expected serial numbers of an organization."""
