"""dedup: of questions that share most of their words, the earliest is kept (paper, section 2: similar questions removed).

Exact: no two kept questions reach the threshold. The order is (date, id), so that the outcome does not depend on the
input's.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.core.settings import DedupConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.records import Problem, Record, Rejection
from wdw_build.text.tokens import words


def _duplicates(context: Context, threshold: float) -> dict[str, str]:
    """The ids to drop, each with the id it is a duplicate of."""
    # Here, not above: numpy is not loaded by commands that run nothing.
    from wdw_build.core.bags import Bags, Vocabulary
    from wdw_build.core.joins import duplicates

    bags = Bags(Vocabulary())
    keys: list[tuple[int, str]] = []
    for problem in context.read("choices"):
        keys.append((problem.date.toordinal(), problem.id))
        bags.add(words(problem.question.sentence))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return {keys[one][1]: keys[other][1] for one, other in duplicates(bags, threshold, order).items()}


def run(inputs: Iterator[Problem], config: DedupConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield every problem whose question is no near-duplicate of an earlier one."""
    dropped = _duplicates(context, config.threshold)
    for problem in inputs:
        if problem.id in dropped:
            yield Rejection(id=problem.id, reason="duplicate-question", detail=dropped[problem.id])
        else:
            yield problem


STAGE = Stage(
    name="dedup",
    version=1,
    reads=("choices",),
    writes=Problem,
    config=DedupConfig,
    run=run,
    scope="set",
    unit="problems",
    summary="Drop problems whose questions are near-duplicates of earlier ones.",
    reasons={"duplicate-question": "an earlier kept question shares dedup.threshold of the shorter one's words"},
)
