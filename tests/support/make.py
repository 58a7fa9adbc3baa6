"""Makes records to feed stages with."""

import datetime as dt
import re

from support.fakes import tokenise
from wdw_build.records import Article, Choice, Mention, Passage, Problem, Question, RawArticle, Span, pack_spans
from wdw_build.text.passages.same_event import features, term_vector

DAY = dt.date(2014, 3, 10)


def day(number):
    """The date this many days after ``DAY``."""
    return DAY + dt.timedelta(days=number)


def raw(name, *, date="2014-03-10", kind="story", paragraphs=("Text.",), place=None, source="HP", dateline=""):
    return RawArticle(
        place=place or f"a.jsonl:{name}",
        id=name,
        date=date,
        source=source,
        kind=kind,
        title="T",
        dateline=dateline,
        paragraphs=tuple(paragraphs),
    )


def article(name, text, *, date=DAY, source="HP"):
    return Article(
        id=name, date=date, source=source, kind="story", title="T", dateline="", paragraphs=tuple(text.split("\n\n"))
    )


def question(name, sentence, blank, *, others=(), date=DAY, person=None):
    """A question from a sentence, the words of its blank and the name in the blank."""
    tokens = tokenise(sentence)
    start = sentence.index(blank)
    end = start + len(blank)
    inside = [at for at, (low, high) in enumerate(tokens.spans) if low >= start and high <= end]
    return Question(
        id=name,
        date=date,
        source="HP",
        sentence=sentence,
        tokens=tokens.words,
        blank_tokens=(inside[0], inside[-1] + 1),
        blank=Mention(start=start, end=end, text=blank),
        name=mention(sentence, person or blank, start),
        others=tuple(mention(sentence, other) for other in others),
        tree="(S)",
        token_layout=pack_spans(tokens.spans),
    )


def mention(text, name, start=0):
    at = text.index(name, start)
    return Mention(start=at, end=at + len(name), text=name)


def problem(name, asked, passage, choices, answer, *, passage_date=None, article_id=None):
    """A problem. A choice is a name, or a name and the other forms that the passage uses."""
    made = []
    for choice in choices:
        forms = (choice,) if isinstance(choice, str) else choice
        spans = {(m.start(), m.end()) for form in forms for m in re.finditer(rf"\b{re.escape(form)}\b", passage)}
        # A short form within the full name is not a separate mention.
        whole = [one for one in spans if not any(o != one and o[0] <= one[0] and one[1] <= o[1] for o in spans)]
        made.append(Choice(name=forms[0], mentions=tuple(Span(start=low, end=high) for low, high in sorted(whole))))
    return Problem(
        id=name,
        question=asked,
        answer=answer,
        window=1,
        score=1.0,
        choices=tuple(made),
        passage=Passage(
            article=article_id or f"{name}-passage",
            date=passage_date or asked.date,
            source="EB",
            title="T",
            text=passage,
            tokens=len(passage.split()),
        ),
    )


def event_figures(question, own, candidate, days, frequencies):
    """The figures of the lexical event score: ``question`` in words, ``own`` and ``candidate`` as ``Told``."""
    vectors = (term_vector(text, frequencies.weight) for text in (question, own.start, candidate.lead, candidate.start))
    return features(*vectors, days)
