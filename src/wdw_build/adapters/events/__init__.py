"""Event scorers: how likely an article tells of the same event as a question (``ports.EventScorer``)."""
