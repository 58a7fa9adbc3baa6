"""Analyse a dataset as a pandas table: its splits, its choices, the baselines and the sources.

    python examples/analyse_with_pandas.py [CONFIG]

CONFIG is the configuration file or the folder of a run that is built; the default is the run of the embedded corpus.
pandas comes with the extra hf: pip install -e '.[hf]'
"""

import sys
from pathlib import Path

import wdw_build

ROOT = Path(__file__).resolve().parents[1]
run = wdw_build.load_run(sys.argv[1] if len(sys.argv) > 1 else ROOT / "configs" / "sample.yaml")

problems = run.to_pandas()
print(problems.groupby("split").size().to_string(), end="\n\n")
print(problems["choices"].str.len().value_counts().sort_index().rename("problems by number of choices").to_string())

# How often would a guess be right, and how often is each baseline? Suppression holds the strict problems at chance.
strict = problems[problems["split"] != "relaxed only"]
print(f"\nchance on the strict problems: {(1 / strict['choices'].str.len()).mean():.3f}")
for baseline in sorted(set(problems["solved_by"].explode().dropna())):
    print(f"  {baseline:<14} {strict['solved_by'].apply(lambda names, name=baseline: name in names).mean():.3f}")

# Which sources report on each other's events? Rows: the question's source. Columns: the passage's source.
print(f"\n{problems.groupby(['source', 'passage.source']).size().unstack(fill_value=0).to_string()}")

# The days between the question's article and its passage.
days = (problems["passage.date"] - problems["date"]).dt.days
print(f"\ndays from question to passage: {days.min()} to {days.max()}, median {days.median():.0f}")
