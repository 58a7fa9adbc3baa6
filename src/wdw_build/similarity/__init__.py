"""Similarity joins over word multisets, and cosines of sentence vectors."""
