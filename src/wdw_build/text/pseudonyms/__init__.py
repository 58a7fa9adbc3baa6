"""Codes and surrogates in place of the names of persons."""
