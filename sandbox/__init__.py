"""A stand-in for the upstream service: real HTTP on two ports, its own data, and controls to make it misbehave."""
