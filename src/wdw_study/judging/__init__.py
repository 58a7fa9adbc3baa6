"""Judging: people answer the problems of a sheet, mark their faults, or say what finding an answer takes."""
