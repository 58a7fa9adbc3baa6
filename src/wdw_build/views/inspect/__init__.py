"""The query language of ``inspect --where``."""
