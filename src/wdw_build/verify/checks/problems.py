"""Checks a single problem: its choices and its answer; and a question with one blank.

Each check yields a message for each fault. ``CHECKS`` and ``QUESTION_CHECKS`` map the names of the promises to the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wdw_build.core.config.settings import Config
from wdw_build.records import Mention, Problem, Question, Span
from wdw_build.verify.words import (
    differ_by_a_letter,
    is_subsequence,
    letters,
    name_words,
    possibly_identifying,
    surely_identifying,
)

_GENERATIONS = frozenset("jr sr ii iii iv".split())


def choices_count(problem: Problem, config: Config) -> Iterator[str]:
    """The number of choices is within the bounds."""
    least, most = config.choices.min_choices, config.choices.max_choices
    if not least <= len(problem.choices) <= most:
        yield f"{len(problem.choices)} choices, not {least} to {most}"


def choices_distinct(problem: Problem, config: Config) -> Iterator[str]:
    """No choice's name is a form of another, except of a relative's.

    Names keep their titles: without titles, more names would be forms of others.
    """
    names = [choice.name for choice in problem.choices]
    for index, name in enumerate(names):
        for other in names[index + 1 :]:
            if name.casefold() == other.casefold():
                yield f"two choices are called {name!r}"
            elif config.choices.keep_namesakes and _are_relatives(name, other):
                continue
            elif _is_form(name, other) or _is_form(other, name):
                yield f"{name!r} and {other!r} are forms of one name"


def _is_form(short: str, long: str) -> bool:
    tokens = name_words(short)
    return bool(tokens) and is_subsequence(tokens, name_words(long))


def answer(problem: Problem, config: Config) -> Iterator[str]:
    """The answer is the index of one choice, whose name shares a token with the deleted name."""
    if not 0 <= problem.answer < len(problem.choices):
        yield f"the answer is {problem.answer}, but there are {len(problem.choices)} choices"
        return
    name = problem.choices[problem.answer].name
    count = sum(choice.name.casefold() == name.casefold() for choice in problem.choices)
    if count != 1:
        yield f"{count} choices have the name of the answer, {name!r}"
    deleted = problem.question.name.text
    if not possibly_identifying(name) & possibly_identifying(deleted):
        yield f"the answer {name!r} shares no token with the deleted name {deleted!r}"


def mentions(problem: Problem, config: Config) -> Iterator[str]:
    """Every mention is a form of the name of its choice; choices are in the order of their first mentions."""
    text = problem.passage.text
    firsts: list[int] = []
    for choice in problem.choices:
        if not choice.mentions:
            yield f"choice {choice.name!r} has no mention"
            continue
        starts = [mention.start for mention in choice.mentions]
        if starts != sorted(set(starts)):
            yield f"the mentions of {choice.name!r} are not in order"
        firsts.append(min(starts))
        yield from _misnamed(choice.name, choice.mentions, text)
    if firsts != sorted(firsts):
        yield "the choices are not in the order of their first mentions"


def _misnamed(name: str, spans: tuple[Span, ...], text: str) -> Iterator[str]:
    choice_tokens, is_full = set(name_words(name)), False
    for span in spans:
        written = text[span.start : span.end] if 0 <= span.start < span.end <= len(text) else ""
        tokens = name_words(written)
        # A title or an occupation may precede the name ("Winger Kerr"); no token of another name may follow it.
        while len(tokens) > 1 and tokens[0] not in choice_tokens:
            tokens = tokens[1:]
        # The passage may spell a name in two ways ("Solis", "Sollis").
        others = {
            word
            for word in surely_identifying(" ".join(tokens)) - choice_tokens
            if not any(differ_by_a_letter(word, part) for part in choice_tokens)
        }
        if not set(tokens) & choice_tokens or others:
            yield f"{name!r} is not named at [{span.start}, {span.end}): {written!r}"
        is_full = is_full or " ".join(name.split()) in " ".join(written.split())
    if not is_full:
        yield f"no mention of {name!r} is its full name"


def question_persons(problem: Problem, config: Config) -> Iterator[str]:
    """No choice shares a surely identifying token with a person that the question names, unless both are namesakes."""
    for other in problem.question.others:
        for choice in problem.choices:
            common = surely_identifying(other.text) & surely_identifying(choice.name)
            if common and not (config.choices.keep_namesakes and _namesakes(other.text, choice.name)):
                yield f"choice {choice.name!r} is {other.text!r} of the question (they share {', '.join(sorted(common))})"


def _namesakes(name: str, other: str) -> bool:
    """Whether two full names share their last token alone, or neither of their last tokens, or are those of relatives."""
    first, second = name_words(name), name_words(other)
    if len(first) < 2 or len(second) < 2:
        return False
    if _are_relatives(name, other):
        return True
    if first[-1] == second[-1]:
        # A common initial ("John F.", "Robert F.") does not identify one person.
        return not {word for word in first[:-1] if len(word) > 1} & set(second[:-1])
    return first[-1] not in second and second[-1] not in first


def _are_relatives(name: str, other: str) -> bool:
    """Whether two full names have another generation ("Jr.") or other initials."""
    first, second = set(name_words(name)), set(name_words(other))
    initials, others = ({word for word in words if len(word) == 1} for words in (first, second))
    differ = first & _GENERATIONS != second & _GENERATIONS or bool(initials and others and initials != others)
    return differ and min(len(first - _GENERATIONS), len(second - _GENERATIONS)) > 1


def blank(question: Question, config: Config) -> Iterator[str]:
    """The offsets mark the recorded texts and tokens. Only letters and digits are compared: tokenisers change punctuation."""
    for mention in (question.blank, question.name, *question.others):
        if question.sentence[mention.start : mention.end] != mention.text or mention.start >= mention.end:
            yield f"{mention.text!r} is not at [{mention.start}, {mention.end})"
    if not _within(question.name, question.blank):
        yield f"the name {question.name.text!r} is not within the blank {question.blank.text!r}"
    for other in question.others:
        if other.start < question.blank.end and question.blank.start < other.end:
            yield f"{other.text!r} overlaps the blank"
    start, end = question.blank_tokens
    parts = (question.tokens[:start], question.tokens[start:end], question.tokens[end:])
    raw = (question.left, question.sentence[question.blank.start : question.blank.end], question.right)
    if not 0 <= start < end <= len(question.tokens):
        yield f"the blank tokens [{start}, {end}) are not a range of the {len(question.tokens)} tokens"
    elif any(letters("".join(tokens)) != letters(text) for tokens, text in zip(parts, raw, strict=True)):
        yield f"the tokens [{start}, {end}) are not the blank {question.blank.text!r}"
    spelled = [letters(question.sentence[first:last]) for first, last in question.token_spans]
    # Records of earlier versions have no token spans.
    if spelled and spelled != [letters(token) for token in question.tokens]:
        yield "the token spans do not spell the tokens"


def _within(inner: Mention, outer: Mention) -> bool:
    return outer.start <= inner.start < inner.end <= outer.end


def name_outside(question: Question, config: Config) -> Iterator[str]:
    """No token with a capital outside the blank is a surely identifying token of the deleted name ("will" names no Will)."""
    if not config.questions.refuse_name_outside:
        return
    start, end = question.blank_tokens
    parts = surely_identifying(question.name.text)
    for token in (*question.tokens[:start], *question.tokens[end:]):
        if not token.islower() and parts & set(name_words(token)):
            yield f"{token!r} of {question.name.text!r} is outside the blank"
            return


CHECKS: dict[str, Callable[[Problem, Config], Iterator[str]]] = {
    "choices-count": choices_count,
    "choices-distinct": choices_distinct,
    "answer": answer,
    "mentions": mentions,
    "question-persons": question_persons,
}
QUESTION_CHECKS: dict[str, Callable[[Question, Config], Iterator[str]]] = {
    "blank": blank,
    "name-outside": name_outside,
}
