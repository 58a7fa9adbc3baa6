"""Events: what connects problems; which are connected is held to all pairs in ``test_events_laws``."""

from support import make
from support.make import day
from wdw_build.text.passages.connections import Connections, EventEvidence, event_evidence


def tied(name, passage_day, persons, article=None):
    return EventEvidence(name, passage_day, (name, article or f"{name}-passage"), tuple(sorted(persons)))


def found(one, others, days=1):
    connections = Connections(days)
    for other in others:
        connections.add(other)
    return {other for other, _ in connections.find(one)}


def test_the_persons_of_a_problem_are_its_choices_and_its_questions_by_their_last_names():
    made = event_evidence(make.met("q1", ("Mr. Ann Ames", "Bob Beck Jr."), others=["Zoë Zäne"], passage_date=day(2)))
    assert made == EventEvidence("q1", day(2).toordinal(), ("q1", "q1-passage"), ("ames", "beck", "zane"))


def test_a_shared_passage_connects_and_so_does_a_question_that_is_the_others_passage():
    one, other, third = tied("a", 0, "x", "p"), tied("b", 90, "y", "p"), tied("p", 300, "z")
    assert found(one, [other]) == {"b"}
    assert found(one, [third]) == {"p"}
    assert found(other, [tied("c", 90, "w")]) == set()


def test_what_connects_is_said():
    connections = Connections(1)
    connections.add(tied("b", 0, ["beck", "ames"], "p"))
    found = list(connections.find(tied("a", 1, ["ames", "beck"], "p")))
    assert found == [("b", "article p"), ("b", "persons ames, beck")]
