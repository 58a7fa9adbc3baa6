"""Runs a stage.

To read from top to bottom: ``runner``, which has the tasks of a stage performed and merges what they wrote; ``task``, with the
loop over the records; and what both use: ``staging``, ``accounting`` and ``failures``.
"""
