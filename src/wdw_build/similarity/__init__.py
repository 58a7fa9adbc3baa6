"""Similarity joins over word multisets: near-duplicate texts, and problems that reveal each other's answers."""
