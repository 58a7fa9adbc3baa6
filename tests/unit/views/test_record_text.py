"""Records as text for people: one line for each fact, without control characters of articles."""

from support.make import day
from wdw_build.cli.record_text import record_text
from wdw_build.records import AdversaryPredictions, NameReplacement, Pseudonyms, RenamedPerson
from wdw_build.views.trace.terminal import Terminal

PLAIN = Terminal(False, 100)


def test_pseudonyms_are_a_line_for_each_person_and_counts_of_the_replacements():
    persons = (
        RenamedPerson(name="Ann \x1b[31mPoole", choice=0, code="@entity3"),
        RenamedPerson(name="Bo Reed", choice=None, code="@entity0"),
    )
    poole = NameReplacement(start=0, end=5, person=0, kind="word", code="@entity3")
    pseudonyms = Pseudonyms(id="Q1", persons=persons, passage=(poole,), question=(), title=())
    assert record_text(pseudonyms, PLAIN).splitlines()[1:] == [
        "Q1",
        "  choice 1  @entity3   Ann \\x1b[31mPoole",
        "  other     @entity0   Bo Reed",
        "replaced in the passage: 1 word",
        "replaced in the question: nothing",
        "replaced in the title: nothing",
    ]


def predictions(fold, unbounded):
    guesses, scores = {"shallow": 1}, {"shallow": (0.0, 2.0)}
    return AdversaryPredictions(
        id="Q1", date=day(0), choices=2, answer=1, guesses=guesses, scores=scores, fold=fold, unbounded=unbounded
    )


def test_predictions_of_adversaries_name_the_fold_and_the_bounds_that_do_not_count_the_problem():
    assert record_text(predictions(2, ()), PLAIN).endswith("\nfold 2")
    shown = record_text(predictions(None, ("shallow",)), PLAIN)
    assert shown.endswith("\nno fold; not counted by the bounds of: shallow")
