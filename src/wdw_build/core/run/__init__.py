"""Runs stages: the runner, its progress, state and memory, and a stage that runs alone."""
