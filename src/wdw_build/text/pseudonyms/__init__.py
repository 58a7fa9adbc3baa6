"""Finds every name of a person in a problem, and draws a code and a surrogate for each person."""
