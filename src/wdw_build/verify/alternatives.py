"""Problems from the alternatives of an article, put together without the methods of the records."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from wdw_build.records import Alternative, Article, Passage, Problem, ProblemAlternatives, Question


def blanks(question: Question) -> Iterator[Question]:
    """Yield the question with each of its blanks, the question's own blank first."""
    yield msgspec.structs.replace(question, more_blanks=())
    for blank in question.more_blanks:
        yield msgspec.structs.replace(
            question,
            blank_tokens=blank.blank_tokens,
            blank=blank.blank,
            name=blank.name,
            others=blank.others,
            more_blanks=(),
        )


def missing_parts(record: ProblemAlternatives, alternative: Alternative) -> Iterator[str]:
    """Yield what an alternative names although its record does not have it; the answer is not considered."""
    if not 0 <= alternative.blank <= len(record.question.more_blanks):
        yield f"blank {alternative.blank}"
    if not 0 <= alternative.passage < len(record.passages):
        yield f"passage {alternative.passage}"
        return
    count = len(record.passages[alternative.passage].persons)
    for person in sorted({*alternative.choices, *alternative.eligible}):
        if not 0 <= person < count:
            yield f"person {person}"


def problem_of(record: ProblemAlternatives, number: int, article: Article | None = None) -> Problem | None:
    """The problem of one alternative; None if the record lacks a part of it.

    ``article`` is the article of its passage; without the article, the problem has no source, title and text of the passage.
    """
    if not 0 <= number < len(record.alternatives):
        return None
    alternative = record.alternatives[number]
    if any(missing_parts(record, alternative)):
        return None
    passage = record.passages[alternative.passage]
    return Problem(
        id=record.id,
        question=list(blanks(record.question))[alternative.blank],
        passage=Passage(
            article=passage.article,
            date=passage.date,
            source=article.source if article else "",
            title=article.title if article else "",
            text="\n\n".join(article.paragraphs) if article else "",
            tokens=passage.tokens,
            token_layout=passage.token_layout,
        ),
        choices=tuple(passage.persons[person] for person in alternative.choices),
        answer=alternative.answer,
        window=passage.window,
        score=passage.score,
        event_score=passage.event_score,
        persons=tuple(passage.persons[person] for person in alternative.eligible),
        refused=tuple(candidate for candidate in record.refused if candidate.blank == alternative.blank),
        alternative=number,
    )
