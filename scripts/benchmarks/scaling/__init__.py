"""Measures the costs of the pipeline by the size of the corpus."""
