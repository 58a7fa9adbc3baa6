"""Looks at a corpus before anything is built: samples it, guesses how to read it, and shows how ``ingest`` understands it."""
