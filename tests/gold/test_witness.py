"""The witness set: its own form, that nobody is shown its errors, and that its figures do not fall.

The set is never used for mending: nobody looks at its single errors, so this test and the script report figures of the
whole set alone. ``test_gold_form.py`` checks the form that it shares with the gold set. After a change that raises the
figures: ``python scripts/measure_gold.py --set witness --record``.
"""

import sys
from collections import Counter

import pytest

import measure_gold
from quality.figures import figures, outcomes, placed
from quality.gold import SETS, read_gold
from support.recorded_gold import read_recorded
from wdw_build.api import annotator
from wdw_build.stages.questions import STAGE

WITNESS_KINDS = frozenset(
    "web-politics gossip tech sports asian-names arabic-african-names latin-american dialogue live-blog datelines "
    "old-wire new-wire taiwan-wire".split()
)
WITNESS_REASONS = frozenset({"introduces-something-else", "no-main-clause", "joined-sentences", "broken-text"})


FILES = SETS["witness"]
WITNESS = read_gold(FILES.sentences)
# Wider than the gold set's: a fall of one sentence cannot be looked into.
TOLERANCE = 0.01
NAMES = sorted(figures([], reasons=False))


def test_there_are_200_sentences_and_three_in_five_make_a_question():
    assert len(WITNESS) == 200
    assert sum(not gold.reason for gold in WITNESS) == 120


def test_no_sentence_is_of_the_gold_set():
    assert not {gold.sentence for gold in WITNESS} & {gold.sentence for gold in read_gold()}


def test_every_kind_of_source_has_at_least_eight_sentences():
    kinds = Counter(tag for gold in WITNESS for tag in gold.tags)
    assert kinds.keys() == WITNESS_KINDS
    assert min(kinds.values()) >= 8
    assert all(len(gold.tags) == 1 for gold in WITNESS)


def test_every_reason_is_one_of_the_stage_or_of_the_editor():
    assert {gold.reason for gold in WITNESS} - {""} <= STAGE.reasons.keys() | WITNESS_REASONS


def test_the_script_refuses_to_list_its_errors(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["measure_gold.py", "--set", "witness", "--errors"])
    with pytest.raises(SystemExit) as stopped:
        measure_gold.main()
    assert stopped.value.code == 2
    assert "never used for mending" in capsys.readouterr().err


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_script_shows_figures_of_the_whole_set_only(monkeypatch, capsys, options):
    class Tagger:
        identity = "none"

    monkeypatch.setattr(sys, "argv", ["measure_gold.py", "--set", "witness", *options])
    monkeypatch.setattr(measure_gold, "annotator", lambda models: Tagger())
    monkeypatch.setattr(measure_gold, "outcomes", lambda golds, tagger: [])
    measure_gold.main()
    shown = capsys.readouterr().out
    assert "decision" in shown
    assert not any(word in shown for word in WITNESS_KINDS | {"witness-"})


@pytest.mark.parametrize(
    ("read", "phrase"), [("Ann Poole met Bob's aide.", "Ann Poole"), ("Ann Poole met Bob's aide.", "Bob's aide")]
)
@pytest.mark.parametrize(
    "source", ["ROME (AP) - Ann Poole met Bob's aide.", "(AP)Ann Poole met Bobs aide.", "Ann Poole met Bob s aide."]
)
def test_a_phrase_is_found_in_the_source_whose_dateline_or_apostrophe_the_product_mended(source, read, phrase):
    start = read.index(phrase)
    first, end = placed((start, start + len(phrase)), read, source)
    assert source[first:end].translate({39: None, 32: None}) == phrase.translate({39: None, 32: None})


def test_a_phrase_that_the_source_does_not_hold_has_no_place():
    assert placed((0, 3), "Xyz left.", "Ann left.") == (-1, -1)


def test_the_recorded_figures_are_of_this_set():
    recorded = read_recorded(FILES.recorded)
    assert recorded.sentences == len(WITNESS)
    assert sorted(recorded.figures) == NAMES


@pytest.fixture(scope="module")
def measured():
    return figures(outcomes(WITNESS, annotator()), reasons=False)


@pytest.mark.real
@pytest.mark.parametrize("name", NAMES)
def test_no_figure_falls_under_the_recorded_one(measured, name):
    recorded = read_recorded(FILES.recorded).figures[name]
    assert measured[name] >= recorded - TOLERANCE, f"{name}: {measured[name]} is under the recorded {recorded}"
