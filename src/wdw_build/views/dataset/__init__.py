"""One view of a run: typed records of every stage, problems joined with the later stages' decisions, counts and samples.

Summary, report, datasheet, trace, diff and the Python API read runs through this package:

>>> run = open_run(Path("out/sample"))                  # a run's folder, an output_dir, or a configuration file
>>> run.require_complete()                              # raises UsageError unless all stages fit together
>>> run.articles.find("a17").title                      # a table for each stage: records by id ...
>>> for question in run.questions: ...                  # ... in order ...
>>> run.questions.rejections_of("a17")                  # ... and rejections
>>> run.questions.settings.min_tokens                   # the settings that the output was made with

>>> for joined in run.problems("validation"):           # problems with predictions, suppression and split
...     joined.problem.question.sentence, joined.solved_by, joined.assignment.split
>>> run.problem("a17").splits                           # one problem by id
('train', 'train.relaxed')

>>> for outcome in run.history("a17").outcomes:         # one id in every stage
...     outcome.table.name, outcome.state, outcome.record, outcome.rejections

>>> counted = facts(run)                                # one struct that summary, report, datasheet and diff print
>>> counted.table3["train"].problems
>>> sample = HashSample(5, seed=0, purpose="report")    # depends on the seed and the set of names, not on their order
>>> sample.offer("a17", article); sample.by_name()

A run may be unfinished: ``table.exists`` says whether a stage has an output. Without one, look-ups by id find nothing, and
reading the whole table raises ``UsageError``.
"""

from __future__ import annotations

from wdw_build.text.counts import most_frequent_first
from wdw_build.views.dataset.run import RefusedCandidate, Run, open_run, refused_candidates
from wdw_build.views.dataset.run_facts import SCORES, WHOLE_NUMBERS, Facts
from wdw_build.views.dataset.run_facts import facts as facts
from wdw_build.views.dataset.selected import training_alternatives as training_alternatives
from wdw_build.views.dataset.tables import (
    SPLITS,
    TEST,
    TRAIN,
    TRAIN_RELAXED,
    VALIDATION,
    HashSample,
    JoinedProblem,
    Outcome,
    Table,
)
