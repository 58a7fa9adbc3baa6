"""Engines: where the tasks of a run are computed."""
