"""Runs the checks of every article: of its question, of each blank and passage, and of each alternative.

Then the problem of each article is compared with the alternative that suppression selected, or else with the first one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.records import Article, Problem, ProblemAlternatives, SuppressionDecision
from wdw_build.verify.alternatives import blanks, problem_of
from wdw_build.verify.checks import alternatives, passages, problems
from wdw_build.verify.files import RecordsById, RunFiles
from wdw_build.verify.report import Recorders

_PROGRESS_EVERY = 5000


def check(files: RunFiles, config: Config, recorders: Recorders, on_progress: Callable[[str], None]) -> None:
    """Check every article with alternatives, and its problem."""
    needed: set[str] = set()
    for record in files.records("dedup", ProblemAlternatives):
        needed.add(record.question.id)
        needed.update(passage.article for passage in record.passages)
    articles = RecordsById(files, "ingest", Article, needed)
    selected = {one.id: one.alternative for one in files.records("suppress", SuppressionDecision)}
    expected: dict[str, bytes] = {}
    for count, record in enumerate(files.records("dedup", ProblemAlternatives), 1):
        _Checks(record, config, articles, recorders).run()
        problem = problem_of(record, selected.get(record.id, 0))
        if problem is not None:
            expected[record.id] = _digest(problem)
        if count % _PROGRESS_EVERY == 0:
            on_progress(f"problems: {count:,} articles checked")
    _check_problems(files, config, expected, articles, recorders)


def _check_problems(
    files: RunFiles, config: Config, expected: dict[str, bytes], articles: RecordsById[Article], recorders: Recorders
) -> None:
    for problem in files.records("problems", Problem):
        recorders["carried"].count()
        if expected.get(problem.id) != _digest(problem):
            recorders["carried"].fail(problem.id, "its problem is not the alternative that suppress selected")
        recorders["passage-source"].count()
        subject = passages.ProblemWithArticles(problem, config, None, articles.find(problem.passage.article))
        for fault in passages.passage_source(subject):
            recorders["passage-source"].fail(problem.id, fault)


def _digest(problem: Problem) -> bytes:
    """A hash of all that a problem has from its alternative; the check ``passage-source`` compares the rest."""
    passage = msgspec.structs.replace(problem.passage, source="", title="", text="")
    return hashlib.blake2b(
        msgspec.json.encode(msgspec.structs.replace(problem, passage=passage)), digest_size=16
    ).digest()


@dataclass(frozen=True)
class _Checks:
    """The checks of one article."""

    record: ProblemAlternatives
    config: Config
    articles: RecordsById[Article]
    recorders: Recorders

    def run(self) -> None:
        """Run all checks, those of a blank or a passage once."""
        name = self.record.id
        for check, faults in alternatives.CHECKS.items():
            self._report(check, name, faults(self.record, self.config))
        for number, question in enumerate(blanks(self.record.question)):
            for check, question_faults in problems.QUESTION_CHECKS.items():
                self._report(
                    check, f"{name}, blank {number}" if number else name, question_faults(question, self.config)
                )
        self._check_alternatives()

    def _check_alternatives(self) -> None:
        name, record = self.record.id, self.record
        passages_seen, pairs_seen = set[int](), set[tuple[int, int]]()
        for number, alternative in enumerate(record.alternatives):
            subject = self._subject(number)
            if subject is None:
                continue
            place = f"{name}, alternative {number}" if number else name
            if not passages_seen:
                self._run(name, subject, passages.QUESTION_CHECKS)
            is_new = alternative.passage not in passages_seen
            passages_seen.add(alternative.passage)
            if is_new:
                self._report("passage-source", place, passages.passage_source(subject))
            if subject.passage_article is None:
                continue
            if is_new:
                self._run(place, subject, passages.PASSAGE_CHECKS)
            if (alternative.blank, alternative.passage) not in pairs_seen:
                pairs_seen.add((alternative.blank, alternative.passage))
                self._run(place, subject, passages.BLANK_CHECKS)
            for check, faults in problems.CHECKS.items():
                self._report(check, place, faults(subject.problem, self.config))

    def _subject(self, number: int) -> passages.ProblemWithArticles | None:
        """The problem of an alternative with its articles; None if the check ``alternatives`` reports a missing part."""
        without_text = problem_of(self.record, number)
        if without_text is None:
            return None
        article = self.articles.find(without_text.passage.article)
        problem = problem_of(self.record, number, article) or without_text
        return passages.ProblemWithArticles(problem, self.config, self.articles.find(self.record.question.id), article)

    def _run(
        self,
        place: str,
        subject: passages.ProblemWithArticles,
        checks: dict[str, Callable[[passages.ProblemWithArticles], Iterator[str]]],
    ) -> None:
        for check, faults in checks.items():
            self._report(check, place, faults(subject))

    def _report(self, check: str, place: str, faults: Iterator[str]) -> None:
        self.recorders[check].count()
        for fault in faults:
            self.recorders[check].fail(place, fault)
