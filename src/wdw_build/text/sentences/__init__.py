"""Sentences: repair of damaged text, where sentences end, and first sentences that give no question."""
