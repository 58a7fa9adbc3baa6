"""Similarity joins over word multisets, and caps on related problems."""
