"""The project's benchmarks. Each compares this program with a yardstick and gives one line of docs/development/performance.md.

``measure`` times the two sides in turn, ``setting`` prepares corpora and runs, and ``table`` shows and writes the results.
A benchmark is a ``Line`` with a function that returns figures. ``lines`` lists them; ``scripts/run_benchmarks.py`` runs them.
"""
