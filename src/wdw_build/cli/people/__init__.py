"""The commands for people in the loop: ``annotate``, ``collect`` and ``quality``. They need the extra ``study``."""
