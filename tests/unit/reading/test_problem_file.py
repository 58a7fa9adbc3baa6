"""A file of problems, of which the first ones are kept in memory."""

import pytest

from support.reading import labelled, reading_problem
from wdw_build.reading import problems
from wdw_build.reading.problems import ProblemSubset, write_problems

EXAMPLES = [
    labelled(reading_problem("XXX met Bo Lee .", "Ann Fox met Lee.", [("Ann Fox", "Fox"), "Lee"], id=name), 0)
    for name in ("a", "b", "c")
]


@pytest.mark.parametrize("kept", [0, 2, 3])
def test_problems_that_are_not_kept_in_memory_are_read_from_the_file(kept, tmp_path, monkeypatch):
    monkeypatch.setattr(problems, "_MOST_KEPT", kept)
    written = write_problems(tmp_path / "problems.jsonl", EXAMPLES)
    assert list(written.in_memory) == ["a", "b", "c"][:kept]
    for _ in range(2):
        assert (list(written), len(written)) == (EXAMPLES, 3)
        assert list(ProblemSubset(written, frozenset("ca"))) == [EXAMPLES[0], EXAMPLES[2]]
