"""Checks of each problem by itself: its blank, choices and answer, and its passage against the two articles.

Each check yields a message for each fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from wdw_build.core.config.settings import Config
from wdw_build.records import Article, Problem
from wdw_build.verify.checked_run import AnyCheck, CheckedRun, Recorder
from wdw_build.verify.plain_words import (
    is_subsequence,
    letters,
    name_words,
    sure_sentences,
    surely_identifying,
    words,
)
from wdw_build.verify.run_files import RecordsById

_PROGRESS_EVERY = 5000
_GENERATIONS = frozenset("jr sr ii iii iv".split())
_GRAM = 8
_EPSILON = 1e-9


@dataclass(frozen=True)
class ProblemWithArticles:
    """A problem with its two articles from the output of ingest; None for an article that ingest did not write."""

    problem: Problem
    config: Config
    question_article: Article | None
    passage_article: Article | None


def choices_count(subject: ProblemWithArticles) -> Iterator[str]:
    """A problem has at least choices.min_choices and at most choices.max_choices choices."""
    least, most, count = (
        subject.config.choices.min_choices,
        subject.config.choices.max_choices,
        len(subject.problem.choices),
    )
    if not least <= count <= most:
        yield f"{count} choices, not {least} to {most}"


def choices_distinct(subject: ProblemWithArticles) -> Iterator[str]:
    """No two choices have the same name, or forms of the same name, unless they are relatives."""
    names = [choice.name for choice in subject.problem.choices]
    for index, name in enumerate(names):
        for other in names[index + 1 :]:
            # Names keep their titles: without titles, more names would be forms of others.
            if name.casefold() == other.casefold():
                yield f"two choices are called {name!r}"
            elif _are_forms_of_one_name(name, other, subject):
                yield f"{name!r} and {other!r} are forms of one name"


def answer(subject: ProblemWithArticles) -> Iterator[str]:
    """Exactly one choice has the name of the answer, and this name shares a word with the deleted name."""
    problem = subject.problem
    if not 0 <= problem.answer < len(problem.choices):
        yield f"the answer is {problem.answer}, but there are {len(problem.choices)} choices"
        return
    name, deleted = problem.choices[problem.answer].name, problem.question.name.text
    count = sum(choice.name.casefold() == name.casefold() for choice in problem.choices)
    if count != 1:
        yield f"{count} choices have the name of the answer, {name!r}"
    if set(name_words(name)).isdisjoint(name_words(deleted)):
        yield f"the answer {name!r} shares no word with the deleted name {deleted!r}"


def mentions(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage names every choice at each of its offsets, and at least once by its full name."""
    text = subject.problem.passage.text
    firsts: list[int] = []
    for choice in subject.problem.choices:
        if not choice.mentions:
            yield f"choice {choice.name!r} has no mention"
            continue
        starts = [mention.start for mention in choice.mentions]
        if starts != sorted(set(starts)):
            yield f"the mentions of {choice.name!r} are not in order"
        firsts.append(min(starts))
        full_name, is_full = " ".join(choice.name.split()), False
        for span in choice.mentions:
            written = text[span.start : span.end] if 0 <= span.start < span.end <= len(text) else ""
            if set(name_words(written)).isdisjoint(name_words(choice.name)):
                yield f"{choice.name!r} is not named at [{span.start}, {span.end}): {written!r}"
            is_full = is_full or full_name in " ".join(written.split())
        if not is_full:
            yield f"no mention of {choice.name!r} is its full name"
    if firsts != sorted(firsts):
        yield "the choices are not in the order of their first mentions"


def question_persons(subject: ProblemWithArticles) -> Iterator[str]:
    """No choice has the name, or a form of the name, of another person in the question, unless they are relatives."""
    for other in subject.problem.question.others:
        for choice in subject.problem.choices:
            common = surely_identifying(other.text) & surely_identifying(choice.name)
            if common and _are_forms_of_one_name(other.text, choice.name, subject):
                yield f"choice {choice.name!r} is {other.text!r} of the question (they share {', '.join(sorted(common))})"


def _are_forms_of_one_name(name: str, other: str, subject: ProblemWithArticles) -> bool:
    """Whether the words of one name are a subsequence of the other's, and they are not the names of two relatives."""
    shorter, longer = sorted((name_words(name), name_words(other)), key=len)
    if not shorter or not is_subsequence(shorter, longer):
        return False
    return not (subject.config.choices.keep_namesakes and _are_relatives(shorter, longer))


def _are_relatives(name: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two full names have another generation ("Jr.") or other initials."""
    first, second = set(name), set(other)
    initials, others = ({word for word in words if len(word) == 1} for words in (first, second))
    differ = first & _GENERATIONS != second & _GENERATIONS or bool(initials and others and initials != others)
    return differ and min(len(first - _GENERATIONS), len(second - _GENERATIONS)) > 1


def blank(subject: ProblemWithArticles) -> Iterator[str]:
    """The blank's offsets and tokens mark the same words of the sentence, and these words include the name."""
    question = subject.problem.question
    for mention in (question.blank, question.name, *question.others):
        if question.sentence[mention.start : mention.end] != mention.text or mention.start >= mention.end:
            yield f"{mention.text!r} is not at [{mention.start}, {mention.end})"
    if not question.blank.start <= question.name.start < question.name.end <= question.blank.end:
        yield f"the name {question.name.text!r} is not within the blank {question.blank.text!r}"
    for other in question.others:
        if other.start < question.blank.end and question.blank.start < other.end:
            yield f"{other.text!r} overlaps the blank"
    start, end = question.blank_tokens
    parts = (question.tokens[:start], question.tokens[start:end], question.tokens[end:])
    raw = (question.left, question.sentence[question.blank.start : question.blank.end], question.right)
    if not 0 <= start < end <= len(question.tokens):
        yield f"the blank tokens [{start}, {end}) are not a range of the {len(question.tokens)} tokens"
    # Only letters and digits are compared: tokenisers change punctuation.
    elif any(letters("".join(tokens)) != letters(text) for tokens, text in zip(parts, raw, strict=True)):
        yield f"the tokens [{start}, {end}) are not the blank {question.blank.text!r}"
    spelled = [letters(question.sentence[first:last]) for first, last in question.token_spans]
    if spelled != [letters(token) for token in question.tokens]:
        yield "the token spans do not spell the tokens"


def name_outside(subject: ProblemWithArticles) -> Iterator[str]:
    """No word of the deleted name occurs outside the blank (if questions.refuse_name_outside)."""
    question = subject.problem.question
    if not subject.config.questions.refuse_name_outside:
        return
    start, end = question.blank_tokens
    parts = surely_identifying(question.name.text)
    for token in (*question.tokens[:start], *question.tokens[end:]):
        # A word in lower case is no name: "will" names no Will.
        if not token.islower() and parts & set(name_words(token)):
            yield f"{token!r} of {question.name.text!r} is outside the blank"
            return


# ---- the passage ------------------------------------------------------------------------------------------------------


def question_source(subject: ProblemWithArticles) -> Iterator[str]:
    """The question's sentence is in the first paragraph of its article, and has the date of the article."""
    question, article = subject.problem.question, subject.question_article
    if question.id != subject.problem.id:
        yield f"the question has the id {question.id!r}"
    if article is None:
        yield "ingest has no article of this id"
        return
    if not article.paragraphs or question.sentence not in article.paragraphs[0]:
        yield f"the sentence is not in the first paragraph: {question.sentence[:100]!r}"
    if (question.date, question.source) != (article.date, article.source):
        yield f"date and source are {question.date} {question.source!r}, but the article has {article.date} {article.source!r}"


def passage_source(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage has the text, date, source and title of its article."""
    passage, article = subject.problem.passage, subject.passage_article
    if article is None:
        yield f"ingest has no article {passage.article!r}"
        return
    if passage.text != "\n\n".join(article.paragraphs):
        yield f"the text is not that of {article.id}"
    stated = (passage.date, passage.source, passage.title)
    if stated != (article.date, article.source, article.title):
        yield f"date, source or title is not that of {article.id}: {stated}"


def own_article(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage is not the question's article."""
    if subject.problem.passage.article == subject.problem.question.id:
        yield "the passage is the question's own article"


def window(subject: ProblemWithArticles) -> Iterator[str]:
    """The recorded window is the narrowest configured window that contains the passage's date."""
    days = abs((subject.problem.passage.date - subject.problem.question.date).days)
    fitting = [size for size in subject.config.retrieve.windows if days <= size]
    if subject.problem.window not in subject.config.retrieve.windows:
        yield f"window {subject.problem.window} is not one of {subject.config.retrieve.windows}"
    elif not fitting or subject.problem.window != min(fitting):
        yield f"the articles are {days} days apart, but the window is {subject.problem.window}"


def event_scores(subject: ProblemWithArticles) -> Iterator[str]:
    """If a key asks for event scores, every passage has at least retrieve.min_event_score; otherwise none has a score."""
    score, retrieve = subject.problem.event_score, subject.config.retrieve
    if retrieve.rank_by != "event" and not retrieve.min_event_score:
        if score is not None:
            yield f"the event score is {score}, but no key asks for scores"
    elif score is None or not retrieve.min_event_score <= score <= 1.0:
        yield f"the event score is {score}, not {retrieve.min_event_score} to 1"


def sentence_overlap(subject: ProblemWithArticles) -> Iterator[str]:
    """No passage sentence shares more than retrieve.max_sentence_overlap of its words with the question."""
    retrieve, bag = subject.config.retrieve, Counter(words(subject.problem.question.sentence))
    for sentence in sure_sentences(subject.problem.passage.text):
        tokens = words(sentence)
        share = (Counter(tokens) & bag).total() / len(tokens) if tokens else 0.0
        if len(tokens) >= retrieve.min_sentence_words and share > retrieve.max_sentence_overlap + _EPSILON:
            yield f"{share:.2f} of the words are the question's: {sentence.strip()[:150]!r}"


def context_runs(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage does not repeat, in the same order, the words directly to the left or right of the blank."""
    question, retrieve = subject.problem.question, subject.config.retrieve
    if not retrieve.context_words:
        return
    left = words(question.left)[-retrieve.context_words :]
    right = words(question.right)[: retrieve.context_words]
    runs = [" ".join(run) for run in (left, right) if len(run) >= retrieve.min_context_words]
    for sentence in sure_sentences(subject.problem.passage.text):
        text = f" {' '.join(words(sentence))} "
        for run in runs:
            if f" {run} " in text:
                yield f"the passage contains {run!r}"


def other_person(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage names another person in the question (if retrieve.require_other_person)."""
    if not subject.config.retrieve.require_other_person:
        return
    text, others = subject.problem.passage.text, subject.problem.question.others
    passage_words = {*words(text), *name_words(text)}
    if not any(len(word) > 1 and word in passage_words for other in others for word in name_words(other.text)):
        yield f"none of {[other.text for other in others]} is named in the passage"


def reprint(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage and the question's article share less than retrieve.max_reprint of the shorter one's 8-grams."""
    most = subject.config.retrieve.max_reprint
    if not most or subject.question_article is None:
        return
    question_grams = _grams("\n\n".join(subject.question_article.paragraphs))
    passage_grams = _grams(subject.problem.passage.text)
    smaller = min(len(question_grams), len(passage_grams))
    share = len(question_grams & passage_grams) / smaller if smaller else 0.0
    if share >= most + _EPSILON:
        yield f"{share:.2f} of the 8-grams are in the article of the question"


def _grams(text: str) -> set[str]:
    tokens = words(text)
    return {" ".join(tokens[start : start + _GRAM]) for start in range(len(tokens) - _GRAM + 1)}


PROBLEM_CHECKS: tuple[Callable[[ProblemWithArticles], Iterator[str]], ...] = (
    *(choices_count, choices_distinct, answer, mentions, question_persons, blank, name_outside),
    *(question_source, passage_source, own_article, window, event_scores),
    *(sentence_overlap, context_runs, other_person, reprint),
)


def check_problems(run: CheckedRun, recorders: Mapping[AnyCheck, Recorder], on_progress: Callable[[str], None]) -> None:
    """Run ``PROBLEM_CHECKS`` on every problem."""
    needed: set[str] = set()
    for problem in run.files.records("problems", Problem):
        needed.update((problem.id, problem.passage.article))
    articles = RecordsById(run.files, "ingest", Article, needed)
    for count, problem in enumerate(run.files.records("problems", Problem), 1):
        article, passage = articles.find(problem.id), articles.find(problem.passage.article)
        subject = ProblemWithArticles(problem, run.config, article, passage)
        for check in PROBLEM_CHECKS:
            recorders[check].count()
            for fault in check(subject):
                recorders[check].fail(problem.id, fault)
        if count % _PROGRESS_EVERY == 0:
            on_progress(f"problems: {count:,} checked")
