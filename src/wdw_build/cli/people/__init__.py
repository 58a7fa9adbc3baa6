"""The commands for people in the loop: ``annotate``, ``collect`` and ``quality``, each with the parser of its options."""
