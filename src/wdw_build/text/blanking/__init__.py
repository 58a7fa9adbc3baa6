"""Selecting the noun phrase that becomes the blank."""
