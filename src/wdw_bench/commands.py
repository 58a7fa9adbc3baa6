"""The command that this package adds to ``wdw-build``."""

from wdw_build.command import Entry

BENCH = Entry(
    "wdw_bench.cli:bench",
    "train and evaluate reading-comprehension systems on a complete run (Table 4)",
    "--systems word-overlap -c FILE",
    extra="bench",
)
