"""The console: what every feature stands on, and no feature itself."""

__version__ = "0.1.0"
