"""Finds every name of a person in a problem, and draws a code for each person."""
