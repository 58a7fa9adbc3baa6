"""Adversaries that answer questions in ordinary words by spans of the passage (``ports.SpanAdversary``)."""
