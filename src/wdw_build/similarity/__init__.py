"""Similarity joins over word multisets."""
