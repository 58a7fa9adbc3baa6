"""problems: the selected alternative of each article with the text of its passage, else the first alternative."""

import msgspec

from support import make, stage_runs
from wdw_build.records import Candidate, SuppressionDecision
from wdw_build.stages.problems import STAGE

SENTENCE = "Ann Ames met Bob Beck on a bridge ."
FIRST = "Bob Beck met Cleo Cole.\n\nAnn Ames waited for Dora Dunn."
SECOND = "Dora Dunn spoke. Bob Beck met Ann Ames."
LAST, EARLIER = (make.question("q", SENTENCE, name) for name in ("Bob Beck", "Ann Ames"))
PROBLEMS = [
    make.problem("q", LAST, FIRST, ["Bob Beck", "Cleo Cole", "Dora Dunn"], 0, article_id="p1"),
    make.problem("q", LAST, FIRST, ["Bob Beck", "Cleo Cole"], 0, article_id="p1"),
    make.problem("q", EARLIER, SECOND, ["Dora Dunn", "Ann Ames"], 1, article_id="p2"),
]


def decision(number, name="q"):
    more = {"choices": 2, "cell": "0000", "draw": 0.1, "strict": True, "alternatives": 3}
    return SuppressionDecision(id=name, date=make.DAY, alternative=number, **more)


def written(tmp_path, decisions, record=None):
    record = record or make.alternatives(*PROBLEMS)
    inputs = {"dedup": [record], "suppress": decisions, "ingest": make.passage_articles(*PROBLEMS)}
    ran = stage_runs.run_stage(STAGE, tmp_path, inputs)
    assert not ran.rejections
    return ran.records["q"]


def test_the_problem_is_the_selected_alternative_with_the_text_of_its_passage(tmp_path):
    for number, expected in enumerate(PROBLEMS):
        found = written(tmp_path / str(number), [decision(number)])
        assert found == msgspec.structs.replace(expected, alternative=number)
        for choice in found.choices:
            first = choice.mentions[0]
            assert found.passage.text[first.start : first.end] == choice.name


def test_the_problem_of_an_article_without_a_decision_is_its_first_alternative(tmp_path):
    assert written(tmp_path, []) == PROBLEMS[0]
    assert written(tmp_path / "other", [decision(2, name="r")]) == PROBLEMS[0]


def test_a_problem_lists_the_refused_candidates_of_its_own_blank(tmp_path):
    refused = tuple(
        Candidate(article=f"r{blank}", date=make.DAY, window=1, rank=1, score=1.0, rule="too-few-choices", blank=blank)
        for blank in (0, 1)
    )
    record = msgspec.structs.replace(make.alternatives(*PROBLEMS), refused=refused)
    assert written(tmp_path / "0", [decision(1)], record).refused == refused[:1]
    assert written(tmp_path / "1", [decision(2)], record).refused == refused[1:]
