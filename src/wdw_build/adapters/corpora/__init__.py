"""Corpus readers, one module for each format."""
