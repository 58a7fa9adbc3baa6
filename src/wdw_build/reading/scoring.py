"""Exact match and F1 of extracted spans, as SQuAD, DROP and QUOREF score them.

The rules are those of DROP (Dua et al. 2019, section 5), which QUOREF (Dasigi et al. 2019) uses too. They differ from those
of SQuAD 1.1 (Rajpurkar et al. 2016) in four ways:

- a hyphen separates words ("78-yard" is "78 yard"); SQuAD removes it and joins the words,
- a number is compared by its value ("12" is "12.0"), and a token that is a number keeps its decimal point,
- a word counts once in a span, however often it is repeated; SQuAD counts repetitions,
- an answer can have several spans, which are aligned one to one with the predicted spans.

Two rules differ from the published script. F1 is not rounded to two decimals. Spans match exactly if they are equal with
their repetitions; the script compares sets and lengths, so that it accepts ("Ann", "Ann", "Bo") for ("Ann", "Bo", "Bo").
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

Spans = Sequence[str]

_SEPARATORS = re.compile("[ -]")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """The text in lower case without articles and punctuation, with single spaces; numbers in one form ("1,000" is "1000.0").

    As in the published script, ``nan`` and ``inf`` are numbers, and "$1.5" is 15: the dollar sign makes it a word, and a
    word loses its punctuation.
    """
    words = (_normalise_word(word) for word in _SEPARATORS.split(text.lower()))
    return " ".join(word for word in words if word)


def exact_match(predicted: Spans, gold: Spans) -> float:
    """1.0 if the predicted spans are the gold spans after normalisation, in any order, else 0.0."""
    predicted, gold = _answered(predicted), _answered(gold)
    return float(sorted(map(normalise, predicted)) == sorted(map(normalise, gold)))


def f1(predicted: Spans, gold: Spans) -> float:
    """Mean F1, in [0, 1], of the spans under the one-to-one alignment that maximises it; a span without partner scores 0.

    No spans, or only blank ones, mean "no answer": F1 is 1 if both sides have no answer, and 0 if one has none (the rule of
    SQuAD 2.0).
    """
    predicted, gold = _answered(predicted), _answered(gold)
    if not predicted or not gold:
        return float(not predicted and not gold)
    scores = [[_span_f1(_bag(span), _bag(other)) for other in gold] for span in predicted]
    return _best_alignment(scores) / max(len(predicted), len(gold))


def score(predicted: Spans, golds: Sequence[Spans]) -> tuple[float, float]:
    """(exact match, F1) against the best of several gold answers; each of them is a set of spans.

    The two maxima are taken independently. Without a gold answer both are 0.
    """
    matches = (exact_match(predicted, gold) for gold in golds)
    return max(matches, default=0.0), max((f1(predicted, gold) for gold in golds), default=0.0)


def _answered(spans: Spans) -> Spans:
    """The spans; none if all are blank."""
    return spans if any(span.strip() for span in spans) else ()


def _normalise_word(word: str) -> str:
    bare = word if _is_number(word) else word.translate(_NO_PUNCTUATION)
    value = str(float(bare)) if _is_number(bare) else bare
    return " ".join(_ARTICLES.sub(" ", value).split())


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _bag(span: str) -> frozenset[str]:
    return frozenset(normalise(span).split())


def _span_f1(predicted: frozenset[str], gold: frozenset[str]) -> float:
    """F1 of two bags of words; 0 if the gold span has numbers and the predicted span has none of them."""
    if predicted == gold:
        return 1.0
    numbers = {word for word in gold if _is_number(word)}
    if numbers and not numbers & predicted:
        return 0.0
    return 2 * len(predicted & gold) / (len(predicted) + len(gold))


def _best_alignment(scores: list[list[float]]) -> float:
    """The greatest sum of scores over one-to-one alignments of rows and columns."""
    if len(scores) == 1 or len(scores[0]) == 1:
        return max(max(row) for row in scores)
    import numpy
    from scipy.optimize import linear_sum_assignment

    matrix = numpy.asarray(scores)
    return float(matrix[linear_sum_assignment(matrix, maximize=True)].sum())
