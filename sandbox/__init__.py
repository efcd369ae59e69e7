"""A stand-in of the upstream service: real HTTP on two ports, its own data, and controls to make it misbehave."""
