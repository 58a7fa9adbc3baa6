"""Stanza models: the annotator, its parts, and the batches they run in."""
