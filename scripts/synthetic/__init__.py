"""An invented newswire of any size for measurements: its words, its events, and substitutes for the models."""
