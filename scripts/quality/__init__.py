"""Measures the quality of what the product makes, against what careful readers say."""
