"""Event scorers: the probability that an article reports the same event as a question (``ports.EventScorer``)."""
