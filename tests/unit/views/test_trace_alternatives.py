"""The alternatives of an article in a trace and in ``inspect``: one line for each, the selected one, and why there is none."""

import msgspec
import pytest

from support.make import DAY
from support.stage_runs import stored
from support.toy_pipeline import Named, events, pipeline, ports
from wdw_build.cli.record_text import record_text
from wdw_build.core.config.settings import ChoicesConfig, SuppressConfig
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES
from wdw_build.records import AdversaryPredictions, ProblemAlternatives, SuppressionDecision
from wdw_build.views.trace import trace
from wdw_build.views.trace.sections import text
from wdw_build.views.trace.selection import alternatives, selection
from wdw_build.views.trace.terminal import Terminal

WIDE = Terminal(False, 400)


def articles():
    """The toy corpus; every second passage names the answer first and most often."""
    for number, article in enumerate(events()):
        if number % 4 == 1:
            answer = article.paragraphs[-1].partition("at noon ")[2].removesuffix(" came home.")
            opening = f"{answer} woke. {answer} rose. {answer} came."
            yield msgspec.structs.replace(article, paragraphs=(opening, *article.paragraphs[:-1]))
        else:
            yield article


def built(root, **changes):
    toy = pipeline(root, ports(reader=Named(list(articles()))), **changes)
    toy.run()
    return open_run(toy.run_folder, STAGES)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run in which the bounds leave no place for some articles."""
    capped = SuppressConfig(strict=0.1, relaxed=0.1, bounds="pooled")
    return built(tmp_path_factory.mktemp("toy"), suppress=capped)


@pytest.fixture(scope="module")
def kept(run):
    """An article of which suppression selected an alternative, with all its records."""
    return run.alternatives[next(iter(run.decisions)).id]


@pytest.fixture(scope="module")
def rejected(run):
    """An article of which suppression selected no alternative."""
    return run.alternatives[next(iter(run.decisions.rejections())).id]


def replaced(run, folder, stage, kind, record):
    """The run as if a stage had written only this record."""
    return type(run)(run.folder, run.stages, {**run.outputs, stage: stored(folder / stage, kind, [record])})


def lines_of(record, run):
    shown = record_text(record, WIDE, lambda found: selection(run, found)).splitlines()
    return [line for line in shown if " in " in line and "{1" in line]


# ---- trace -----------------------------------------------------------------------------------------------------------


def test_a_trace_has_every_alternative_and_the_selected_one(run, kept):
    decision, found = run.decisions[kept.id], trace(run, kept.id)
    assert [one.number for one in found.alternatives] == list(range(len(kept.alternatives)))
    for one, problem in zip(found.alternatives, kept.outlines(), strict=True):
        assert one.deleted == problem.question.name.text
        assert (one.passage, one.event) == (problem.passage.article, problem.event_score)
        assert one.choices == tuple(choice.name for choice in problem.choices)
        assert one.answer == problem.answer
        predictions = run.predictions[kept.id].of(one.number)
        right = tuple(name for name, guess in predictions.guesses.items() if guess == predictions.answer)
        assert one.solved_by == right
        selected = one.number == decision.alternative
        assert one.outcome == ("selected" if selected else "not-selected")
        assert one.level == (("strict" if decision.strict else "relaxed") if selected else "")
    assert found.alternatives[decision.alternative].cell == decision.cell == found.cell.pattern


def test_the_passage_and_the_predictions_are_those_of_the_selected_alternative(run, kept, tmp_path):
    number = len(kept.alternatives) - 1
    decision = msgspec.structs.replace(run.decisions[kept.id], alternative=number)
    changed = replaced(run, tmp_path, "suppress", SuppressionDecision, decision)
    alternative = kept.alternatives[number]
    article = run.articles[kept.passages[alternative.passage].article]
    problem = kept.problem(number, article)
    changed = replaced(changed, tmp_path, "problems", type(problem), problem)
    found = trace(changed, kept.id)
    assert found.passage.article == article.id
    (passage,) = (candidate for candidate in found.candidates if candidate.passage)
    assert (passage.article, passage.blank) == (article.id, alternative.blank)
    assert passage.deleted == problem.question.name.text
    assert sum(candidate.alternatives for candidate in found.candidates) == len(kept.alternatives)
    predictions = run.predictions[kept.id].of(number)
    names = [problem.choices[guess].name for guess in predictions.guesses.values()]
    assert [guess.choice for guess in found.guesses] == names
    assert (found.cell.alternative, found.cell.alternatives) == (number, number + 1)
    assert f"alternative {number} of {number + 1}" in found.cell.why


def test_an_article_without_a_selected_alternative_names_the_reason(run, rejected):
    found, (rejection,) = trace(run, rejected.id), run.decisions.rejections_of(rejected.id)
    assert {one.outcome for one in found.alternatives} == {"not-selected"}
    assert found.ended.startswith(f"suppress rejected it: {rejection.reason}, ")
    assert found.cell.level == "suppressed"
    assert run.meaning(rejection.reason) in found.cell.why
    assert rejection.detail in found.cell.why
    assert found.passage.article == rejected.passages[rejected.alternatives[0].passage].article


def test_as_a_passage_says_for_which_blanks_the_article_gives_alternatives(run, kept):
    article = kept.passages[0].article
    trials = [one for one in trace(run, article, lambda _: None).as_passage if one.question == kept.id]
    chosen = [one for one in trials if one.chosen]
    assert len(trials) == 1 + len(kept.question.more_blanks)
    assert [one.blank for one in chosen] == [kept.alternatives[run.decisions[kept.id].alternative].blank]
    assert sum(one.alternatives for one in trials) == len(kept.alternatives)


# ---- inspect ---------------------------------------------------------------------------------------------------------


def test_inspect_shows_one_line_per_alternative_with_the_outcome(run, kept):
    lines, number = lines_of(kept, run), run.decisions[kept.id].alternative
    assert len(lines) == len(kept.alternatives)
    assert [line.split()[0].endswith("*") for line in lines] == [at == number for at in range(len(lines))]
    assert f"selected: strict, cell {run.decisions[kept.id].cell}" in lines[number]
    assert all(line.endswith("not selected") for at, line in enumerate(lines) if at != number)


def test_inspect_says_why_no_alternative_was_selected(run, rejected):
    (rejection,) = run.decisions.rejections_of(rejected.id)
    shown = record_text(rejected, WIDE, lambda found: selection(run, found))
    assert f"no alternative was selected by suppress: {rejection.reason}, " in shown
    assert "{1" in shown


def test_before_later_stages_have_run_an_alternative_has_no_verdict(run, kept):
    shown = record_text(kept, WIDE)
    assert "solved by" not in shown
    assert "selected" not in shown


def test_predictions_for_another_list_of_alternatives_are_ignored(run, kept, tmp_path):
    fewer = msgspec.structs.replace(kept, alternatives=kept.alternatives[:1])
    assert all(one.solved_by is None and not one.outcome for one in alternatives(fewer, selection(run, fewer)))


def test_an_alternative_that_the_filter_excludes_says_so(run, kept, tmp_path):
    predictions = msgspec.structs.replace(run.predictions[kept.id], excluded=(1,))
    changed = replaced(run, tmp_path, "adversary", AdversaryPredictions, predictions)
    assert alternatives(kept, selection(changed, kept))[1].outcome == "excluded"
    assert "excluded: an adversary solves it" in lines_of(kept, changed)[1]
    assert record_text(predictions, WIDE).endswith("excluded alternatives: 1")


def test_a_decision_names_the_alternative_if_there_are_several():
    decision = SuppressionDecision(id="q", date=DAY, choices=3, cell="0100", draw=0.25, strict=True)
    assert record_text(decision, WIDE).splitlines()[-1] == "cell 0100, 3 choices, draw 0.2500: strict"
    other = msgspec.structs.replace(decision, alternative=2, alternatives=7, strict=False)
    assert record_text(other, WIDE).splitlines()[-1] == (
        "alternative 2 of 7, cell 0100, 3 choices, draw 0.2500: relaxed"
    )


def test_predictions_have_a_line_for_every_other_alternative(run, kept):
    shown = record_text(run.predictions[kept.id], WIDE)
    assert shown.count("\nalternative ") == len(kept.alternatives) - 1
    assert isinstance(kept, ProblemAlternatives)
