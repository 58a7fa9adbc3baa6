"""suppress: a small dataset is a warning, and only a corpus without problems stops the stage."""

import msgspec
import pytest

from support import fakes, make, stage_runs
from support.make import day
from wdw_build.core.progress import Progress
from wdw_build.errors import CorpusError
from wdw_build.records import AdversaryPredictions, SuppressionCost
from wdw_build.stages.suppress import COSTS, STAGE

PAPER = {"bounds": "pooled", "max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0}


def problems(count, guess):
    """Problems with two choices for which the only baseline makes this guess; 0 is right."""
    scores = dict.fromkeys(("first-person", "most-frequent", "ngram"), (1.0, 0.0))
    return [
        AdversaryPredictions(id=f"p{number}", date=day(0), choices=2, answer=0, guesses={"ngram": guess}, scores=scores)
        for number in range(count)
    ]


def suppress(tmp_path, given, **settings):
    section, progress = STAGE.config(**PAPER | settings), Progress("lines")
    records = [make.alternatives(make.met(one.id, ("Ann Lee", "Bo Lee"))) for one in given]
    inputs = {"adversary": given, "dedup": records, "ingest": make.articles_of(*records)}
    return stage_runs.run_stage(STAGE, tmp_path, inputs, section=section, progress=progress, solver=fakes.ScipySolver())


def test_a_small_selection_is_a_warning_and_a_large_one_is_none(tmp_path, capsys):
    assert len(suppress(tmp_path / "small", problems(6, guess=1)).records) == 6
    assert "suppress: WARNING: only 6 strict problems are selected" in capsys.readouterr().err
    assert len(suppress(tmp_path / "large", problems(100, guess=1)).records) == 100
    assert capsys.readouterr().err == ""


def test_no_strict_problem_is_a_warning(tmp_path, capsys):
    suppress(tmp_path, problems(1, guess=0), strict=0.0)
    assert "suppress: WARNING: no strict problem is selected" in capsys.readouterr().err


def test_a_corpus_without_problems_stops_the_stage(tmp_path):
    with pytest.raises(CorpusError, match="no article gave a problem"):
        suppress(tmp_path, [])


def cost_of(tmp_path, count):
    """The only cost where three of the problems, which all have the same answer, may be kept."""
    suppress(tmp_path, problems(count, guess=1), max_per_answer=3.0)
    (cost,) = msgspec.json.decode((tmp_path / "suppress" / COSTS).read_bytes(), type=list[SuppressionCost])
    return cost


def test_the_costs_are_a_file_of_the_stage_and_the_log_names_the_largest_if_few_are_kept(tmp_path, capsys):
    cost = cost_of(tmp_path, 12)
    assert (cost.key, cost.value, cost.other) == ("suppress.max_per_answer", "3", "0")
    assert (cost.kept, cost.other_kept) == (3, 12)
    assert f"suppression left out 9 of 12 problems; {cost}; " in capsys.readouterr().err
    assert str(cost).startswith("suppress.max_per_answer 0 instead of 3: about 9 more, but ")


def test_a_cost_that_reaches_the_size_at_which_an_adversary_is_trained_says_that_it_does_not_count_it(tmp_path):
    cost = cost_of(tmp_path, 60)
    assert (cost.kept, cost.other_kept) == (3, 60)
    assert "not counted: from 50 problems, an adversary is trained" in cost.price
