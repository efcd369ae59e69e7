"""The console: the foundation of all features, without any feature itself."""

__version__ = "0.1.0"
