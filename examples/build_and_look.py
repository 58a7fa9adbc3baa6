"""Build a dataset, print one problem, and say why an article gave no problem.

    python examples/build_and_look.py [CONFIG]

CONFIG is a configuration file; the default is that of the embedded corpus. The first call takes some minutes. Later calls
run nothing again: only stages whose input or settings changed would run.
"""

import sys
from pathlib import Path

import wdw_build

ROOT = Path(__file__).resolve().parents[1]
config = sys.argv[1] if len(sys.argv) > 1 else ROOT / "configs" / "sample.yaml"

# The same as `wdw-build all`. With quiet=False it shows its progress on stderr.
run = wdw_build.build(config, quiet=False)

# Each stage reads records, and writes or rejects them. `main_line` is the chain from the corpus to the export.
for table in run.main_line:
    counts = table.manifest
    print(f"{table.name:<12} read {counts.read:>6}, wrote {counts.written:>6}, rejected {counts.rejected:>6}")

# A joined problem is a problem with its split, and with the choices of the baselines.
joined = next(run.problems("train"))
question, passage = joined.problem.question, joined.problem.passage
print(f"\nquestion ({question.source}, {question.date}): {question.left}XXX{question.right}")
print(f"passage ({passage.source}, {passage.date}): {passage.text[:200]} ...")
print("choices:", ", ".join(choice.name for choice in joined.problem.choices))
print("answer:", joined.answer)
print("baselines that chose it:", ", ".join(joined.solved_by) or "none")

# Nothing is lost silently: each rejection has a reason. `meaning` says it in words.
rejection = next(iter(run.questions.rejections()))
print(f"\narticle {rejection.id}: {rejection.reason}: {run.meaning(rejection.reason)}")

# The way of one article through all stages: written, rejected, or not reached.
for outcome in run.history(rejection.id).outcomes:
    print(f"  {outcome.table.name:<12} {outcome.state}")
