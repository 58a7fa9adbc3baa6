"""The query language of the inspect command."""
