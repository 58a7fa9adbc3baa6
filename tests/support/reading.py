"""Makes the problems that reading-comprehension systems read.

    problem = reading_problem("XXX met Bo Lee .", "Ann Fox met Lee. Fox left.", [("Ann Fox", "Fox"), ("Bo Lee", "Lee")])
    training = [labelled(problem, 0)]

A list of labelled problems is a ``LabelledProblems``.
"""

from support.fakes import split_sentences, tokenise
from wdw_build.reading import BLANK, LabelledProblem, ReadingChoice, ReadingProblem
from wdw_build.records import pack_spans


def reading_problem(question, passage, choices, *, id="p", persons=()):
    """A problem from its texts. A choice is a name, or a tuple of the full name and the other forms in the passage.

    ``XXX`` is the blank. ``persons`` are the other persons of the question. Mentions are found by their tokens; the
    choices stay in the given order.
    """
    question_tokens = tokenise(question).words
    before, _, after = question.partition(BLANK)
    spans, starts = _passage_layout(passage)
    words = tuple(passage[start:end] for start, end in spans)
    forms = [(choice,) if isinstance(choice, str) else tuple(choice) for choice in choices]
    return ReadingProblem(
        id=id,
        before_blank=before,
        after_blank=after,
        question_tokens=question_tokens,
        blank=question_tokens.index(BLANK) if BLANK in question_tokens else -1,
        question_persons=tuple(sorted(span for person in persons for span in _occurrences(question_tokens, [person]))),
        passage=passage,
        token_layout=pack_spans(spans),
        sentence_starts=tuple(starts),
        choices=tuple(
            ReadingChoice(name=names[0], tokens=tokenise(names[0]).words, mentions=_occurrences(words, names))
            for names in forms
        ),
    )


def labelled(problem, answer):
    """The problem with its answer, an index."""
    return LabelledProblem(id=problem.id, problem=problem, answer=answer, split="train", level="strict", guesses={})


def short_problems(count):
    """Problems p0, p1, … whose answer is the first of two persons."""
    made = (
        reading_problem("XXX won .", "Ann Fox met Bo Lee.", ["Ann Fox", "Bo Lee"], id=f"p{n}") for n in range(count)
    )
    return [labelled(one, 0) for one in made]


def _passage_layout(passage):
    """The spans of the tokens, in characters, and the first token of each sentence."""
    spans, starts = [], []
    for offset, sentence in split_sentences(passage):
        starts.append(len(spans))
        spans += [(offset + start, offset + end) for start, end in tokenise(sentence).spans]
    return spans, starts


def _occurrences(words, names):
    """The ranges [first, last) of words that are one of the names; longer names win where two overlap."""
    taken = set()
    for form in sorted((tokenise(name).words for name in names), key=len, reverse=True):
        for first in range(len(words) - len(form) + 1):
            inside = range(first, first + len(form))
            if words[first : first + len(form)] == form and not any(
                low <= at < high for low, high in taken for at in inside
            ):
                taken.add((first, first + len(form)))
    return tuple(sorted(taken))
