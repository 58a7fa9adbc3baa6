"""Adapters to libraries, one module for each backend. Only adapters import heavy libraries, and only on first use."""
