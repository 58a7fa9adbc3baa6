"""Measures how hard a dataset is: trains and evaluates reading-comprehension systems on the splits of runs (Table 4)."""
