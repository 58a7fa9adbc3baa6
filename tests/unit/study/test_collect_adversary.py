"""The adversary is asked once for a question, in the background; newer questions drop older ones, and failures are told."""

import threading

from support.collected import FakeAdversary
from wdw_build.ports import SpanAnswer
from wdw_study.collection.adversary_worker import Answerer


class Slow:
    """Answers when it is released."""

    identity = "slow 1"

    def __init__(self):
        self.started, self.release, self.asked = threading.Event(), threading.Event(), []

    def answer(self, passage, question):
        self.asked.append(question)
        self.started.set()
        assert self.release.wait(10)
        return SpanAnswer((question,), 1.0)


def in_thread(call):
    """Starts a call, and returns a function that waits for its result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()

    def wait():
        thread.join(10)
        return results[0]

    return wait


def test_an_answer_is_kept():
    model = FakeAdversary({"Who?": ("Ines Dahl",)})
    answerer = Answerer(model, print)
    for question in ("Who?", " Who? "):
        outcome = answerer.ask("Ada", "text", question, 5)
        assert (outcome.state, outcome.answer.spans, outcome.answer.identity) == ("answered", ("Ines Dahl",), "fake 1")
    assert model.asked == ["Who?"]


def test_without_an_adversary_nothing_is_answered():
    assert Answerer(None, print).ask("Ada", "text", "Who?", 5) == ("none", None)


def test_a_failure_is_reported_in_one_printable_line_and_asked_again():
    said, model = [], FakeAdversary({"Who?": ValueError("bad\x1b[31m\nthing")})
    answerer = Answerer(model, said.append)
    assert answerer.ask("Ada", "text", "Who?", 5) == ("failed", None)
    assert said == ["the adversary failed: ValueError: bad\\x1b[31m\\nthing"]
    model.answers["Who?"] = ("Jonas",)
    assert answerer.ask("Ada", "text", "Who?", 5).answer.spans == ("Jonas",)


def test_a_newer_question_of_the_same_person_drops_one_that_has_not_started():
    model = Slow()
    answerer = Answerer(model, print)
    running = in_thread(lambda: answerer.ask("Bo", "text", "first", 5))
    assert model.started.wait(5)
    older = in_thread(lambda: answerer.ask("Ada", "text", "older", 5))
    while "Ada" not in answerer._waiting:
        pass
    newer = in_thread(lambda: answerer.ask("Ada", "text", "newer", 5))
    assert older() == ("dropped", None)
    model.release.set()
    assert running().answer.spans == ("first",)
    assert newer().answer.spans == ("newer",)
    assert model.asked == ["first", "newer"]


def test_no_submitted_question_drops_another():
    model = Slow()
    answerer = Answerer(model, print)
    running = in_thread(lambda: answerer.ask("", "text", "first", 5))
    assert model.started.wait(5)
    waiting = [in_thread(lambda question=question: answerer.ask("", "text", question, 5)) for question in ("a", "b")]
    model.release.set()
    assert [wait().state for wait in (running, *waiting)] == ["answered"] * 3


def test_a_slow_answer_is_late_and_there_the_next_time():
    model = Slow()
    answerer = Answerer(model, print)
    assert answerer.ask("Ada", "text", "Who?", 0.01) == ("late", None)
    model.release.set()
    assert answerer.ask("Ada", "text", "Who?", 5).state == "answered"
    assert model.asked == ["Who?"]


def test_a_passage_is_read_once_before_the_first_question():
    model = FakeAdversary()
    answerer = Answerer(model, print)
    answerer.prepare("Ada", "text")
    answerer.ask("Ada", "text", "Which?", 5)
    answerer.prepare("Bo", "text")
    answerer.ask("Ada", "text", "Whose?", 5)
    assert model.asked == ["Who?", "Which?", "Whose?"]
    Answerer(None, print).prepare("Ada", "text")
