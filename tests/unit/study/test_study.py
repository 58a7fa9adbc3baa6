"""Studies: who gets which problems, items of their own, and what is forgotten."""

import sqlite3
from collections import Counter

import pytest

from support.sheets import sheet_folder, sheet_problem
from wdw_build.errors import ConfigError, UsageError
from wdw_study.event_log import EventLog
from wdw_study.judgements import ANSWERED
from wdw_study.people import (
    aside_of,
    count_events,
    forget,
    people_of,
    put_aside,
    sign_in,
    sign_in_by_address,
)
from wdw_study.sheet_folder import read_judged
from wdw_study.sheet_score import score
from wdw_study.study import GOLD, TRAINING, Item, Study, assign, item_problems, problems_of, read_study

PRACTICE = Item(kind="training", question="XXX came.", choices=("Ann", "Bob"), answer="Bob", explanation="See line 1.")
CHECK = Item(kind="gold", question="Choose Cy. XXX", choices=("Ann", "Bob", "Cy"), answer="Cy")


def shown(folder, study, person):
    assign(study, folder.problems, folder.log, folder.sheet, person)
    return problems_of(study, folder.problems, folder.log.events(), folder.sheet, person)


def test_each_problem_gets_as_many_people_as_the_study_asks_for_and_then_nobody_gets_more(tmp_path):
    folder, study = sheet_folder(tmp_path, 6), Study(problems_per_person=4, answers_per_problem=2)
    given = {name: [each.id for each in shown(folder, study, name)] for name in ("Ada", "Ben", "Cem", "Dan")}
    assert [len(ids) for ids in given.values()] == [4, 4, 4, 0]
    assert set(Counter(each for ids in given.values() for each in ids).values()) == {2}
    assert [each.id for each in shown(folder, study, "Ada")] == given["Ada"]


def test_problems_of_a_person_who_is_put_aside_are_given_to_others(tmp_path):
    folder, study = sheet_folder(tmp_path, 3), Study(problems_per_person=3, answers_per_problem=1)
    first = shown(folder, study, "Ada")
    put_aside(folder.log, "Ada", aside=True)
    assert {each.id for each in shown(folder, study, "Ben")} == {each.id for each in first}


def test_orders_differ_by_person_and_keep_twins_of_earlier_problems_last(tmp_path):
    problems = [sheet_problem(number, twins=(1, 8) if number in (1, 8) else ()) for number in range(1, 9)]
    folder, study = sheet_folder(tmp_path, problems=problems), Study(own_order=True)
    orders = {tuple(each.id for each in shown(folder, study, name)) for name in ("Ada", "Ben", "Cem")}
    assert len(orders) == 3
    assert {order[-1] for order in orders} == {"q8"}
    assert [each.number for each in shown(folder, study, "Ada")] == list(range(1, 9))


def test_training_items_come_first_and_gold_items_are_spread_over_the_list(tmp_path):
    others = [CHECK, Item(kind="gold", question="Choose Bob. XXX", choices=("Ann", "Bob"), answer="Bob")]
    folder = sheet_folder(tmp_path, 10)
    for name in ("Ada", "Ben", "Cem", "Dan", "Eve"):
        levels = [each.level for each in shown(folder, Study(items=(*others, PRACTICE)), name)]
        assert len(levels) == 13
        assert levels[0] == TRAINING
        assert [GOLD in levels[1:7], GOLD in levels[7:]] == [True, True]


def test_items_do_not_count_in_scores_and_the_score_says_who_got_gold_items_right(tmp_path):
    folder = sheet_folder(tmp_path, 2)
    folder.keep_study(Study(items=(PRACTICE, CHECK)))
    practice, check = item_problems(folder.study)
    for person, answer in (("Ada", 2), ("Ben", 0)):
        sign_in(folder.log, person, "")
        folder.log.append(person, ANSWERED, practice.id, 0)
        folder.log.append(person, ANSWERED, check.id, answer)
        folder.log.append(person, ANSWERED, "q1", 0)
    scored = score(read_judged(folder.path))
    assert [(each.person, each.answered) for each in scored.persons] == [("Ada", 1), ("Ben", 1)]
    assert "gold items answered rightly: Ada 1 of 1, Ben 0 of 1" in scored.notes


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("answers_per_problem: 2", "needs problems_per_person"),
        ("closes: 2027-01-31T18:00:00", "timezone"),
        ("deadline: tomorrow", "unknown field `deadline`"),
        ("items: [{kind: gold, question: XXX, choices: [A, B], answer: C}]", "answer is none of its choices"),
        ("items: [{kind: gold, question: XXX, choices: [A, A], answer: A}]", "has a name twice"),
        ("items: [{kind: gold, question: who, choices: [A, B], answer: A}]", "has no XXX"),
        ("- 1", "Expected `object`"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_study_that_cannot_be_is_refused_and_the_fault_named(tmp_path, text, fault):
    (tmp_path / "study.yaml").write_text(text)
    with pytest.raises(ConfigError, match=fault):
        read_study(tmp_path / "study.yaml")


def test_a_name_that_began_with_a_personal_address_cannot_be_taken_on_the_page(tmp_path):
    log = EventLog(tmp_path / "events.sqlite")
    assert sign_in_by_address(log, "Ada", invited=True).name == "Ada"
    for passphrase in ("", "guess"):
        with pytest.raises(UsageError, match="is taken"):
            sign_in(log, "ada", passphrase)
    with pytest.raises(UsageError, match="is taken"):
        sign_in_by_address(log, "Ada", invited=False)
    assert sign_in_by_address(log, "ada", invited=True) == ("Ada", True)


def test_an_address_with_a_name_takes_no_name_that_was_chosen_on_the_page(tmp_path):
    log = EventLog(tmp_path / "events.sqlite")
    sign_in(log, "Ada", "")
    with pytest.raises(UsageError, match="is taken"):
        sign_in_by_address(log, "Ada", invited=False)
    assert sign_in_by_address(log, "5f3c", invited=False) == ("5f3c", False)
    assert sign_in_by_address(log, "5f3c", invited=False) == ("5f3c", True)


def test_what_a_person_did_is_gone_from_the_file_and_the_others_keep_their_numbers(tmp_path):
    folder = sheet_folder(tmp_path, 2)
    for person in ("Zacharias", "Ben"):
        sign_in(folder.log, person, "open sesame")
        folder.log.append(person, ANSWERED, "q1", 0)
    folder.log.append("Zacharias", "noted", "q1", "I am the mayor of Ulm")
    put_aside(folder.log, "Zacharias", aside=True)
    before = {event.number: event for event in folder.log.events() if event.person == "Ben"}
    assert count_events(folder.log, "zacharias") == ("Zacharias", 3)
    assert forget(folder.log, "zacharias") == 4
    after = folder.log.events()
    assert {event.number: event for event in after if event.person == "Ben"} == before
    assert people_of(after) == ["Ben"]
    assert aside_of(after) == frozenset()
    assert [each.person for each in read_judged(folder.path).judgements] == ["Ben"]
    content = b"".join(path.read_bytes() for path in folder.path.glob("events.sqlite*"))
    assert b"Zacharias" not in content
    assert b"mayor of Ulm" not in content
    with sqlite3.connect(folder.log.path) as connection:
        assert connection.execute("SELECT max(number) FROM events").fetchone() == (len(after),)
    with pytest.raises(UsageError, match="nobody is called"):
        forget(folder.log, "Zacharias")
