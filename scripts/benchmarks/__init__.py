"""The project's benchmarks: each module is one line of the table of docs/explanation/performance.md, ours against a yardstick.

``measure`` times the two sides in turn, ``setting`` prepares corpora and runs, ``table`` shows and writes the results. A
line is a ``Line`` with a function that returns its figures; ``lines`` lists them. ``scripts/run_benchmarks.py`` runs them.
"""
