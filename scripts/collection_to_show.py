"""A collection of questions about the embedded corpus, served for the pictures of the documentation."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from playwright.sync_api import Page

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.config.settings import Config
from wdw_build.core.progress import Progress
from wdw_build.dataset import Run
from wdw_build.registry import span_adversary
from wdw_study.collection.adversary_worker import READING, AdversaryAnswer, Answerer
from wdw_study.collection.collection_folder import CollectionFolder, open_or_draw
from wdw_study.collection.passages import places
from wdw_study.collection.question_rules import ADVERSARY
from wdw_study.collection.question_state import (
    REFUSED,
    VALIDATED,
    WRITTEN,
    Refused,
    Validation,
    Written,
)
from wdw_study.people import SIGNED_IN, SignedIn
from wdw_study.web.base import Access, Listener, running
from wdw_study.web.collect import collect_app

# Questions about the embedded corpus: passage -> question and answers.
_QUESTIONS = {
    "54fb46766b5e": ("Which two people put their names to the agreement?", "Noor Siddiqui", "Ada Reyes"),
    "e9e040eef725": ("Who is going to have a case of his own in the spring?", "Anatoly Fedoruk"),
    "3709ed7dd3a1": ("Which two brothers are not in agreement?", "Joaquín Hinojosa", "Mateo Hinojosa"),
    "72682647891a": ("Who got an embrace from the head of the space agency?", "Arjun Raman"),
}
_EASY = ("54fb46766b5e", "Who is going to part with an official car?", "Ada Reyes")


def _write(opened: CollectionFolder) -> None:
    """Fill the log with questions of Finn, two of which Eve validates, and a refused one."""
    for person in ("Eve", "Finn"):
        opened.log.append(person, SIGNED_IN, value=SignedIn())
    text = {passage.id: passage.text for passage in opened.passages}
    for number, (name, (question, *answers)) in enumerate(_QUESTIONS.items()):
        spans = tuple(places(text[name], answer)[0] for answer in answers)
        written = opened.log.append(
            "Finn", WRITTEN, name, Written(question, spans, AdversaryAnswer("shallow", (), 0.0))
        )
        if number % 2:
            validation = Validation(written.number, "answerable", spans)
            opened.log.append("Eve", VALIDATED, f"{name}-{written.number}", validation)
    name, question, answer = _EASY
    refused = Refused(
        question, (places(text[name], answer)[0],), AdversaryAnswer("shallow", (answer,), 1.0), (ADVERSARY,)
    )
    opened.log.append("Finn", REFUSED, name, refused)


@contextmanager
def serve_collection(run: Run) -> Iterator[tuple[Access, Listener]]:
    """Serve the pages of a collection of the embedded corpus; gives what makes their addresses."""
    with tempfile.TemporaryDirectory() as temporary:
        progress = Progress("lines")
        opened = open_or_draw(Path(temporary) / "questions", lambda: run, {}, PunktSplitter, progress)
        _write(opened)
        access, listener = Access.fresh(), Listener()
        adversary = span_adversary(msgspec.convert(run.config(), Config), "shallow")
        # The first answer loads the models, which takes longer than a page waits.
        adversary.answer(opened.passages[0].text, READING)
        answerer = Answerer(adversary, progress.say)
        with running(collect_app(opened, answerer, access, listener), listener):
            yield access, listener
        answerer.close()


def submit_easy_question(page: Page) -> None:
    """Write a question that the adversary answers, and submit it; the person is signed in and on the list of passages."""
    name, question, answer = _EASY
    page.goto(f"{page.url}passages/{name}")
    page.get_by_label("Question", exact=True).fill(question)
    page.get_by_label("Find in the passage").fill(answer)
    page.get_by_role("button", name="Find").click()
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("alert").wait_for()
