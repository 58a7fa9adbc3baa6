"""Makes records to feed stages with."""

import datetime as dt
import re

import msgspec

from support.fakes import tokenise
from wdw_build import records
from wdw_build.records import Mention, Span, pack_spans

DAY = dt.date(2014, 3, 10)


def day(number):
    """The date this many days after ``DAY``."""
    return DAY + dt.timedelta(days=number)


def raw(name, *, paragraphs=("Text.",), **changes):
    # Short texts with other titles are no copies.
    given = {"place": f"a.jsonl:{name}", "date": "2014-03-10", "source": "HP", "kind": "story", "title": f"T {name}"}
    return records.RawArticle(id=name, paragraphs=tuple(paragraphs), **given | {"dateline": ""} | changes)


def article(name, text, *, date=DAY, source="HP"):
    return records.Article(
        id=name, date=date, source=source, kind="story", title="T", dateline="", paragraphs=tuple(text.split("\n\n"))
    )


def question(name, sentence, blank, *, others=(), date=DAY, person=None):
    """A question from a sentence, the words of its blank and the name in the blank."""
    tokens = tokenise(sentence)
    start = sentence.index(blank)
    end = start + len(blank)
    inside = [at for at, (low, high) in enumerate(tokens.spans) if low >= start and high <= end]
    return records.Question(
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


def with_blanks(*questions):
    """The question whose blanks are those of questions about one sentence, in their order."""
    first, *others = questions
    blanks = (
        records.Blank(blank_tokens=one.blank_tokens, blank=one.blank, name=one.name, others=one.others)
        for one in others
    )
    return msgspec.structs.replace(first, more_blanks=tuple(blanks))


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
        made.append(
            records.Choice(name=forms[0], mentions=tuple(Span(start=low, end=high) for low, high in sorted(whole)))
        )
    article, day = article_id or f"{name}-passage", passage_date or asked.date
    told = records.Passage(article=article, date=day, source="EB", title="T", text=passage, tokens=len(passage.split()))
    return records.Problem(
        id=name, question=asked, answer=answer, window=1, score=1.0, choices=tuple(made), passage=told
    )


def met(name, persons, answer=0, *, others=(), date=DAY, article_id=None, passage_date=None):
    """A problem about persons who met each other and ``others``; its passage says that each of the persons came."""
    asked = question(name, f"{', '.join([*persons, *others])} met today.", persons[answer], others=others, date=date)
    passage = " ".join(f"{person} came." for person in persons)
    return problem(name, asked, passage, persons, answer, article_id=article_id, passage_date=passage_date)


def placed(problem, level="strict", split="test"):
    """A problem and its place in the dataset, as exporters take them."""
    return problem, records.SplitAssignment(id=problem.id, date=problem.date, level=level, split=split)


def articles_of(*deduplicated):
    """The articles of the questions and passages of records of ``dedup``, as ``ingest`` stores them, with short texts."""
    names = {name: None for one in deduplicated for name in (one.id, *(passage.article for passage in one.passages))}
    return [article(name, "It rained.") for name in names]


def alternatives(*problems):
    """The record of an article with these problems as its alternatives; their questions are about one sentence.

    Every passage has all persons that are choices of a problem with this passage.
    """
    questions, passages = [], {}
    for one in problems:
        if one.question not in questions:
            questions.append(one.question)
        passages.setdefault(one.passage.article, []).append(one)
    kept = {article: candidate_passage(found) for article, found in passages.items()}
    made = []
    for one in problems:
        passage, blank = list(kept).index(one.passage.article), questions.index(one.question)
        choices, eligible = (
            tuple(map(kept[one.passage.article].persons.index, persons)) for persons in (one.choices, one.persons)
        )
        made.append(
            records.Alternative(
                blank=blank, passage=passage, choice_set="all", choices=choices, answer=one.answer, eligible=eligible
            )
        )
    return records.ProblemAlternatives(
        id=problems[0].id, question=with_blanks(*questions), passages=tuple(kept.values()), alternatives=tuple(made)
    )


def candidate_passage(problems):
    """The passage that problems share, with its persons."""
    first, passage = problems[0], problems[0].passage
    people = {one.name: one for found in problems for one in (*found.choices, *found.persons)}
    return records.CandidatePassage(
        article=passage.article,
        date=passage.date,
        window=first.window,
        score=first.score,
        event_score=first.event_score,
        tokens=passage.tokens,
        token_layout=passage.token_layout,
        persons=tuple(sorted(people.values(), key=lambda one: one.mentions[0].start if one.mentions else 0)),
    )


def passage_articles(*problems):
    """The articles of the problems' passages, each once."""
    found = {one.passage.article: one.passage for one in problems}
    return [article(name, one.text, date=one.date, source=one.source) for name, one in found.items()]
