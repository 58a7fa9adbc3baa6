"""A question of ``choices`` in the course of the rounds, and a passage that was tried for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from wdw_build.records import (
    Alternative,
    Article,
    Candidate,
    CandidatePassage,
    ProblemAlternatives,
    Question,
    Record,
    Rejection,
)
from wdw_build.text.passages.evidence import Case


@dataclass
class OpenQuestion:
    """A question, the valid candidates that remain to try by article, and what came of those that were tried.

    ``names`` are the deleted names of the blanks. ``alternatives`` have the ranks of their candidates, which count for each
    blank apart. ``page_text`` is what makes the question useless.
    """

    question: Question
    blanks: list[Question]
    names: list[str]
    remaining: list[list[Candidate]]
    passages: list[CandidatePassage] = field(default_factory=list)
    alternatives: list[tuple[int, Alternative]] = field(default_factory=list)
    refused: list[Candidate] = field(default_factory=list)
    page_text: str = ""

    @staticmethod
    def of(question: Question, names: list[str], candidates: Iterable[Candidate]) -> OpenQuestion:
        """The question with its valid candidates; those with the same article are tried together.

        An article has the rank that it has for its first blank, so that the first blank's passages are tried in their order.
        """
        by_article: dict[str, list[Candidate]] = {}
        for candidate in sorted(candidates, key=lambda candidate: candidate.blank):
            if not candidate.rule:
                by_article.setdefault(candidate.article, []).append(candidate)
        ranked = sorted(by_article.values(), key=lambda tried: (tried[0].rank, tried[0].blank))
        return OpenQuestion(question, question.each_blank(), names, ranked)

    def next_candidates(self, max_alternatives: int) -> list[Candidate]:
        """Remove and return the candidates with the article to try next; empty if the question is settled.

        With enough alternatives, only the paper's alternative, that of the first blank, is still looked for.
        """
        if len(self.alternatives) >= max_alternatives:
            has_first = any(alternative.blank == 0 for _, alternative in self.alternatives)
            of_first = ([candidate for candidate in tried if candidate.blank == 0] for tried in self.remaining)
            self.remaining = [] if has_first else list(filter(None, of_first))
        return self.remaining.pop(0) if self.remaining else []

    def add(self, tried: Tried) -> None:
        """Add the alternatives of a passage."""
        added = [
            (candidate.rank, msgspec.structs.replace(alternative, passage=len(self.passages)))
            for candidate, alternatives in tried.by_candidate
            for alternative in alternatives
        ]
        if added:
            self.passages.append(tried.passage)
            self.alternatives += added

    def refuse(self, candidate: Candidate, rule: str, detail: str) -> None:
        """Refuse a candidate."""
        self.refused.append(msgspec.structs.replace(candidate, rule=rule, detail=detail))

    def result(self, max_alternatives: int) -> Record | Rejection:
        """The alternatives by blank and rank, or the rejection of a question without any or with page text."""
        if self.page_text:
            return Rejection(
                id=self.question.id,
                reason="page-text-in-question",
                detail=self.page_text,
                candidates=tuple(self.refused),
            )
        if self.alternatives:
            alternatives = [
                alternative for _, alternative in sorted(self._first_found(max_alternatives), key=_blank_and_rank)
            ]
            used = sorted({alternative.passage for alternative in alternatives})
            return ProblemAlternatives(
                id=self.question.id,
                question=self.question,
                passages=tuple(self.passages[passage] for passage in used),
                alternatives=tuple(
                    msgspec.structs.replace(alternative, passage=used.index(alternative.passage))
                    for alternative in alternatives
                ),
                refused=tuple(self.refused),
            )
        refused = tuple(self.refused)
        return Rejection(id=self.question.id, reason="no-usable-passage", detail=refused[0].rule, candidates=refused)

    def _first_found(self, max_alternatives: int) -> list[tuple[int, Alternative]]:
        """The alternatives that were found first, for all blanks, and the paper's alternative in any case."""
        of_paper = min(self.alternatives, key=_blank_and_rank)
        first = self.alternatives[:max_alternatives]
        return first if of_paper in first else [*first[:-1], of_paper]


def _blank_and_rank(ranked: tuple[int, Alternative]) -> tuple[int, int]:
    rank, alternative = ranked
    return alternative.blank, rank


@dataclass
class Tried:
    """What came of a passage for a question: the alternatives of each candidate that is usable."""

    question: OpenQuestion
    article: Article
    passage: CandidatePassage
    by_candidate: list[tuple[Candidate, list[Alternative]]]

    def cases(self) -> Iterator[Case]:
        """Yield what the evidence score reads of each alternative."""
        for candidate, alternatives in self.by_candidate:
            question = self.question.blanks[candidate.blank]
            for alternative in alternatives:
                choices = [self.passage.persons[number] for number in alternative.choices]
                yield Case(question, self.article, choices, alternative.answer)

    def drop_undecided(self, least: float) -> None:
        """Drop the alternatives with a lower evidence score, and refuse the candidates of which none is left."""
        by_candidate = []
        for candidate, alternatives in self.by_candidate:
            best = max(alternative.evidence_score or 0.0 for alternative in alternatives)
            if best < least:
                self.question.refuse(candidate, "undecided", f"{best:.3f}")
            else:
                decided = [alternative for alternative in alternatives if (alternative.evidence_score or 0.0) >= least]
                by_candidate.append((candidate, decided))
        self.by_candidate = by_candidate

    def refuse(self, rule: str, detail: str) -> None:
        """Refuse the passage for all blanks."""
        for candidate, _ in self.by_candidate:
            self.question.refuse(candidate, rule, detail)
        self.by_candidate = []
