"""Compares the program's output with human annotations."""
