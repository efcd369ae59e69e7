"""The calls of the upstream service, one module per noun."""
