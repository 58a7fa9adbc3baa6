"""Examples of rejections: up to five for each reason and rule, with the offending words marked.

The marks show the evidence in the records. Some rejections have no evidence, such as the rejection of a sentence with one
person; their examples have no marks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.dataset import HashSample, RefusedCandidate, Run, Table
from wdw_build.records import Article, Candidate, Question, Rejection
from wdw_build.text.tokens import words
from wdw_build.views.marks import Mark, Segment, excerpt, find_phrase, find_words

EXAMPLES = 5
_CANDIDATES = 3
_DETAIL = 80


class LabelledText(NamedTuple):
    """An excerpt of a text with a label that names the text."""

    label: str
    segments: tuple[Segment, ...]


class Example(NamedTuple):
    """One rejected input: ``notes`` give the reason, ``texts`` show the input."""

    id: str
    notes: tuple[str, ...]
    texts: tuple[LabelledText, ...]


class RejectionSampler:
    """Draws examples from the rejections of every stage by reason, and from the refused candidates by rule."""

    def __init__(self, run: Run, seed: int) -> None:
        self._run = run
        self._rejections = defaultdict[tuple[str, str], HashSample[Rejection]](
            partial(HashSample, EXAMPLES, seed, "report")
        )
        self._candidates = defaultdict[tuple[str, str], HashSample[RefusedCandidate]](
            partial(HashSample, EXAMPLES, seed, "report")
        )

    def offer_rejection(self, table: Table[Any, Any], rejection: Rejection) -> None:
        """Offer a rejection of one stage."""
        # An id can be rejected twice; the detail distinguishes the two rejections.
        self._rejections[table.name, rejection.reason].offer(f"{rejection.id} {rejection.detail}", rejection)

    def offer_candidate(self, refused: RefusedCandidate) -> None:
        """Offer a refused candidate."""
        sample = self._candidates[refused.table.name, refused.candidate.rule]
        sample.offer(f"{refused.question} {refused.candidate.article} {refused.candidate.blank}", refused)

    def of_reason(self, table: Table[Any, Any], reason: str) -> list[Example]:
        """The examples of a rejection reason of a stage."""
        sample = self._rejections[table.name, reason]
        return [_rejection_example(self._run, table, rejection) for rejection in sample.by_name()]

    def of_rule(self, table: Table[Any, Any], rule: str) -> list[Example]:
        """The examples of a rule by which a stage refuses candidates."""
        return [_candidate_example(self._run, refused) for refused in self._candidates[table.name, rule].by_name()]


# ---- rejections ------------------------------------------------------------------------------------------------------


def _rejection_example(run: Run, table: Table[Any, Any], rejection: Rejection) -> Example:
    show = {
        run.articles.name: _article_texts,
        run.questions.name: _sentence_texts,
        run.alternatives.name: _duplicate_texts,
        run.decisions.name: _suppressed_texts,
    }.get(table.name, _question_texts)
    texts = show(run, rejection)
    # The sentence with its marks already shows what the detail of a rejected question repeats.
    shown = ("".join(segment.text for segment in text.segments) for text in texts)
    repeated = table.name == run.questions.name and any(rejection.detail in text for text in shown)
    notes = [] if repeated else [rejection.detail]
    notes += [f"{refusal.name}: {refusal.rule}{_in_brackets(refusal.detail)}" for refusal in rejection.refused]
    notes += [_candidate_note(candidate) for candidate in rejection.candidates[:_CANDIDATES]]
    if len(rejection.candidates) > _CANDIDATES:
        notes.append(f"and {len(rejection.candidates) - _CANDIDATES} more candidates")
    return Example(rejection.id, tuple(filter(None, notes)), texts)


def _in_brackets(detail: str) -> str:
    shown = detail if len(detail) <= _DETAIL else f"{detail[:_DETAIL]}…"
    return f" ({shown})" if shown else ""


def _candidate_note(candidate: Candidate) -> str:
    event = "" if candidate.event is None else f", event {candidate.event:.2f}"
    place = f"{candidate.article}, {candidate.date}, within {candidate.window} d, score {candidate.score:.2f}{event}"
    return f"{place}: {candidate.rule}{_in_brackets(candidate.detail)}"


def _with_phrases(label: str, text: str, phrases: Iterable[str]) -> LabelledText:
    spans = (span for phrase in phrases for span in find_phrase(text, phrase))
    return LabelledText(label, excerpt(text, [Mark(*span, "evidence") for span in spans]))


def _with_words(label: str, text: str, shared: set[str]) -> LabelledText:
    return LabelledText(label, excerpt(text, [Mark(*span, "evidence") for span in find_words(text, shared)]))


def _article_texts(run: Run, rejection: Rejection) -> tuple[LabelledText, ...]:
    kept = run.articles.find(rejection.id) if rejection.reason == "duplicate-id" else None
    return (_with_phrases("the article that was kept", f"{kept.title} {kept.text}", ()),) if kept else ()


def _sentence_texts(run: Run, rejection: Rejection) -> tuple[LabelledText, ...]:
    sentence = run.first_sentences.find(rejection.id)
    if sentence is None:
        return ()
    # Marks the names that the rule behind the reason refused; without such a rule (too few persons), all refused names.
    offending = [refusal for refusal in rejection.refused if refusal.rule == rejection.reason] or rejection.refused
    wanted = [
        refusal.name if refusal.rule == "not-a-person" else refusal.detail or refusal.name for refusal in offending
    ]
    return (_with_phrases("first sentence", sentence.text, wanted),)


def question_text(question: Question, phrases: tuple[str, ...] = ()) -> LabelledText:
    """The question with ``phrases`` marked; without phrases, the blank is marked."""
    if phrases:
        return _with_phrases("question", question.sentence, phrases)
    blank = Mark(question.blank.start, question.blank.end, "blank")
    return LabelledText("question", excerpt(question.sentence, [blank]))


def _question_texts(run: Run, rejection: Rejection) -> tuple[LabelledText, ...]:
    question = run.questions.find(rejection.id)
    return (question_text(question),) if question else ()


def _duplicate_texts(run: Run, rejection: Rejection) -> tuple[LabelledText, ...]:
    dropped, kept = (run.questions.find(record_id) for record_id in (rejection.id, rejection.detail))
    if dropped is None or kept is None:
        return ()
    common = set(words(dropped.sentence)) & set(words(kept.sentence))
    return tuple(
        _with_words(label, question.sentence, common)
        for label, question in (("dropped", dropped), (f"kept: {kept.id}", kept))
    )


def _suppressed_texts(run: Run, rejection: Rejection) -> tuple[LabelledText, ...]:
    """The first alternative of the article."""
    joined = run.problem(rejection.id)
    if joined is None or joined.predictions is None:
        return ()
    names = " · ".join(choice.name for choice in joined.problem.choices)
    others = len(run.predictions[rejection.id].others)
    label = f"choices{f' of the first of {1 + others} alternatives' if others else ''}"
    label += f"; solved by {', '.join(joined.solved_by) or 'no baseline'}"
    return (question_text(joined.problem.question), _with_phrases(label, names, [joined.answer]))


# ---- candidates ------------------------------------------------------------------------------------------------------


def _candidate_example(run: Run, refused: RefusedCandidate) -> Example:
    candidate = refused.candidate
    question, article = run.questions.find(refused.question), run.articles.find(candidate.article)
    notes = (f"for the question {refused.question}", _candidate_note(candidate))
    texts = _evidence(candidate, question.with_blank(candidate.blank), article) if question and article else ()
    return Example(candidate.article, notes, texts)


def _evidence(candidate: Candidate, question: Question, article: Article) -> tuple[LabelledText, ...]:
    detail = candidate.detail
    if candidate.rule == "sentence-overlap":
        return _overlap(detail.partition(": ")[2], question, article)
    if candidate.rule in ("left-context", "right-context"):
        return (
            question_text(question, (detail,)),
            _with_phrases(f"candidate: {article.title}", _sentence_with(article, detail), [detail]),
        )
    if candidate.rule == "no-other-person":
        return (
            question_text(question, tuple(detail.split("; "))),
            _with_phrases(f"candidate: {article.title}", article.text, ()),
        )
    if candidate.rule in ("ambiguous-answer", "answer-not-a-choice"):
        wanted = (question.name.text, *detail.split("; "))
        return (question_text(question), _with_phrases(f"candidate: {article.title}", article.text, wanted))
    # The rule refused the article itself because of words in the title or at the beginning of the text.
    wanted = (detail.partition(": ")[2] or detail,)
    return (question_text(question), _with_phrases("candidate", f"{article.title}. {article.text}", wanted))


def _sentence_with(article: Article, phrase: str) -> str:
    sentences = PunktSplitter().sentences(article.text)
    return next((sentence for sentence in sentences if find_phrase(sentence, phrase)), article.text)


def _overlap(detail: str, question: Question, article: Article) -> tuple[LabelledText, ...]:
    """The sentence that shares too many words, found by its first words in the detail, which is cut off."""
    sentence = _sentence_with(article, " ".join(detail.split(" ")[:8]))
    common = set(words(question.sentence)) & set(words(sentence))
    return (
        _with_words("question", question.sentence, common),
        _with_words(f"candidate: {article.title}", sentence, common),
    )
