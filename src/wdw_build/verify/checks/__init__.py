"""One module for each group of promises that verify checks."""
