"""Collecting: people write questions about passages, with an adversary in the loop, and answer the questions of others."""
