"""Tasks: the pieces of a stage's work, each with a folder of its own."""
