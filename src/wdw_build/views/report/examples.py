"""Examples of what was turned away: five of each reason and rule, with the words that broke it marked.

The evidence is what the records hold: where a stage writes none (a sentence with one person), there is nothing to mark.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from wdw_build.core.store.output import Output
from wdw_build.records import Article, BaselinePredictions, Candidate, FirstSentence, Problem, Question, Rejection
from wdw_build.text.tokens import sentences, words
from wdw_build.views.report.drawn import Drawn
from wdw_build.views.report.marks import Passage, find, phrases, pieces, shared

EXAMPLES = 5
_CANDIDATES = 3
_DETAIL = 80
Outputs = Mapping[str, Output]


class Example(NamedTuple):
    """One input that was turned away: ``notes`` say why, ``texts`` show it."""

    id: str
    notes: tuple[str, ...]
    texts: tuple[Passage, ...]


class Refused(NamedTuple):
    """A candidate that a rule refused, and the question it was tried for."""

    question: str
    candidate: Candidate


class Turned:
    """Draws from the rejections of every stage by reason, and from the refused candidates by rule."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._rejections: dict[tuple[str, str], Drawn[Rejection]] = {}
        self._refused: dict[tuple[str, str], Drawn[Refused]] = {}

    def rejection(self, stage: str, one: Rejection) -> None:
        """Offer a rejection, and the candidates it names."""
        drawn = self._rejections.setdefault((stage, one.reason), Drawn(EXAMPLES, self._seed))
        # ingest may reject one id twice.
        drawn.offer(f"{one.id} {one.detail}", one)
        self.candidates(stage, one.id, one.candidates)

    def candidates(self, stage: str, question: str, candidates: tuple[Candidate, ...]) -> None:
        """Offer the refused candidates of a question."""
        for one in candidates:
            if one.rule:
                drawn = self._refused.setdefault((stage, one.rule), Drawn(EXAMPLES, self._seed))
                drawn.offer(f"{question} {one.article}", Refused(question, one))

    def by_reason(self, stage: str, outputs: Outputs) -> dict[str, list[Example]]:
        """The examples of a stage's reasons."""
        return {
            reason: [_rejected(stage, one, outputs) for one in drawn.values()]
            for (of, reason), drawn in sorted(self._rejections.items())
            if of == stage
        }

    def by_rule(self, stage: str, outputs: Outputs) -> dict[str, list[Example]]:
        """The examples of the rules that refuse a stage's candidates."""
        return {
            rule: [_refused(one, outputs) for one in drawn.values()]
            for (of, rule), drawn in sorted(self._refused.items())
            if of == stage
        }


# ---- rejections ------------------------------------------------------------------------------------------------------


def _rejected(stage: str, one: Rejection, outputs: Outputs) -> Example:
    texts = {
        "ingest": _of_ingest,
        "questions": _of_questions,
        "retrieve": _asked_alone,
        "choices": _asked_alone,
        "dedup": _of_dedup,
        "suppress": _of_suppress,
    }.get(stage, _asked_alone)(one, outputs)
    notes = [one.detail] if stage != "questions" or not _in_texts(one.detail, texts) else []
    notes += [f"{refusal.name}: {refusal.rule}{_in_brackets(refusal.detail)}" for refusal in one.refused]
    notes += [_candidate_note(candidate) for candidate in one.candidates[:_CANDIDATES]]
    if len(one.candidates) > _CANDIDATES:
        notes.append(f"and {len(one.candidates) - _CANDIDATES} more candidates")
    return Example(one.id, tuple(filter(None, notes)), texts)


def _in_texts(detail: str, texts: tuple[Passage, ...]) -> bool:
    return any(detail in "".join(piece.text for piece in passage.pieces) for passage in texts)


def _in_brackets(detail: str) -> str:
    shown = detail if len(detail) <= _DETAIL else f"{detail[:_DETAIL]}…"
    return f" ({shown})" if shown else ""


def _candidate_note(one: Candidate) -> str:
    event = "" if one.event is None else f", event {one.event:.2f}"
    place = f"{one.article}, {one.date}, within {one.window} d, score {one.score:.2f}{event}"
    return f"{place}: {one.rule}{_in_brackets(one.detail)}"


def _article(article: str, outputs: Outputs) -> Article | None:
    found = outputs["ingest"].find(article)
    return found if isinstance(found, Article) else None


def _question(record_id: str, outputs: Outputs) -> Question | None:
    found = outputs["questions"].find(record_id)
    return found if isinstance(found, Question) else None


def _of_ingest(one: Rejection, outputs: Outputs) -> tuple[Passage, ...]:
    kept = _article(one.id, outputs) if one.reason == "duplicate-id" else None
    return (phrases("the article that was kept", f"{kept.title} {kept.text}", ()),) if kept else ()


def _of_questions(one: Rejection, outputs: Outputs) -> tuple[Passage, ...]:
    first = outputs["sentences"].find(one.id)
    if not isinstance(first, FirstSentence):
        return ()
    # The rule that gave the reason first; without one (too few persons) whatever was refused.
    offending = [refusal for refusal in one.refused if refusal.rule == one.reason] or list(one.refused)
    wanted = [
        refusal.name if refusal.rule == "not-a-person" else refusal.detail or refusal.name for refusal in offending
    ]
    return (phrases("first sentence", first.text, wanted),)


def _asked(found: Question, wanted: tuple[str, ...] = ()) -> Passage:
    spans = [(found.blank.start, found.blank.end)] if not wanted else []
    spans += [span for phrase in wanted for span in find(found.sentence, phrase)]
    return Passage("question", pieces(found.sentence, spans))


def _asked_alone(one: Rejection, outputs: Outputs) -> tuple[Passage, ...]:
    found = _question(one.id, outputs)
    return (_asked(found),) if found else ()


def _of_dedup(one: Rejection, outputs: Outputs) -> tuple[Passage, ...]:
    if one.reason not in ("duplicate-question", "event-cap"):
        return _asked_alone(one, outputs)
    pair = [_question(name, outputs) for name in (one.id, one.detail)]
    if pair[0] is None or pair[1] is None:
        return ()
    common = set(words(pair[0].sentence)) & set(words(pair[1].sentence))
    labels = ("dropped", f"kept: {one.detail}")
    return tuple(
        Passage(label, pieces(found.sentence, shared(found.sentence, common)))
        for label, found in zip(labels, pair, strict=True)
        if found is not None
    )


def _of_suppress(one: Rejection, outputs: Outputs) -> tuple[Passage, ...]:
    guesses, problem = outputs["baselines"].find(one.id), outputs["dedup"].find(one.id)
    if not isinstance(guesses, BaselinePredictions) or not isinstance(problem, Problem):
        return ()
    solved = [name for name, guess in guesses.guesses.items() if guess == guesses.answer]
    names = " · ".join(choice.name for choice in problem.choices)
    return (
        _asked(problem.question),
        phrases(
            f"choices; solved by {', '.join(solved) or 'no baseline'}", names, [problem.choices[problem.answer].name]
        ),
    )


# ---- candidates ------------------------------------------------------------------------------------------------------


def _refused(one: Refused, outputs: Outputs) -> Example:
    asked, article = _question(one.question, outputs), _article(one.candidate.article, outputs)
    notes = (f"for the question {one.question}", _candidate_note(one.candidate))
    if asked is None or article is None:
        return Example(one.candidate.article, notes, ())
    return Example(one.candidate.article, notes, _evidence(one.candidate, asked, article))


def _evidence(candidate: Candidate, asked: Question, article: Article) -> tuple[Passage, ...]:
    detail = candidate.detail
    if candidate.rule == "sentence-overlap":
        return _overlap(detail.partition(": ")[2], asked, article)
    if candidate.rule in ("left-context", "right-context"):
        return (
            _asked(asked, (detail,)),
            phrases(f"candidate: {article.title}", _sentence_with(article, detail), [detail]),
        )
    if candidate.rule == "no-other-person":
        return (_asked(asked, tuple(detail.split("; "))), phrases(f"candidate: {article.title}", article.text, ()))
    if candidate.rule in ("ambiguous-answer", "answer-not-a-choice"):
        wanted = (asked.name.text, *detail.split("; "))
        return (_asked(asked), phrases(f"candidate: {article.title}", article.text, wanted))
    # What the article itself is: the words are those of its title or its opening.
    wanted = (detail.partition(": ")[2] or detail,)
    return (_asked(asked), phrases("candidate", f"{article.title}. {article.text}", wanted))


def _sentence_with(article: Article, phrase: str) -> str:
    return next((one for one in sentences(article.text) if find(one, phrase)), article.text)


def _overlap(detail: str, asked: Question, article: Article) -> tuple[Passage, ...]:
    """The sentence that shares too much. The evidence is its words, cut off after a while."""
    start = " ".join(detail.split(" ")[:8])
    found = _sentence_with(article, start)
    common = set(words(asked.sentence)) & set(words(found))
    return (
        Passage("question", pieces(asked.sentence, shared(asked.sentence, common))),
        Passage(f"candidate: {article.title}", pieces(found, shared(found, common))),
    )
