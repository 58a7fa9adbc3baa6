"""The features f(passage, sentence, question, choice) of the max-margin model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from wdw_bench.systems.semantic.alignment import (
    Alignment,
    align,
    best_in_sentences,
    discriminative_weights,
    ordered_pairs,
    share,
    syntax_features,
    vector_features,
    with_neighbours,
)
from wdw_bench.systems.semantic.view import Floats, Lexicon, View
from wdw_build.reading.matching import best_windows, distances
from wdw_build.reading.words import Bag, bag, cosine, problem_words

GROUPS = {
    "lexical": (
        "sliding window",
        "sliding window, relative",
        "windows of all sizes",
        "distance",
        "mean distance",
        "window in sentence",
        "word overlap",
        "question words",
        "choice words",
        "both",
        "both, neighbours",
    ),
    "syntax": ("question pairs", "choice pairs", "near", "verb right", "verb left", "beside right", "beside left"),
    "vectors": (
        "question words, vectors",
        "choice words, vectors",
        "rare choice words, vectors",
        "both, vectors",
        "both, vectors, neighbours",
        "rare both, vectors",
        "rare both, vectors, neighbours",
        "near, vectors",
        "cosine of question",
        "cosine of question and choice",
        "left context",
        "right context",
        "mean of both, vectors",
        "most of rare choice words, vectors",
    ),
    "coreference": (
        "question words, names",
        "question words, vectors, names",
        "choice words, names",
        "both, names",
        "near, vectors, names",
        "most of choice words, names",
    ),
    "entities": ("persons of question", "names of question", "numbers of question"),
    "position": ("position", "first sentence"),
    "choice": ("mentions", "first mention", "in question", "length"),
}
WINDOW_SIZES = range(4, 31, 2)
NAMES = tuple(name for names in GROUPS.values() for name in names)


def features(view: View, lexicon: Lexicon) -> Floats:
    """The features of each choice in each sentence (C, S, F), in the order of ``NAMES``.

    A passage without tokens has one empty sentence, in which all features are 0.
    """
    if not len(view.ids):
        return np.zeros((len(view.choices), 1, len(NAMES)), np.float32)
    words = np.concatenate([view.question[view.asked], *view.choices])
    alignment = align(words, view, lexicon)
    of_question = alignment.part(0, len(view.asked))
    values = (
        lexical_features(view)
        | aligned_features(view, lexicon, alignment)
        | syntax_features(view, lexicon, of_question)
        | vector_features(view, lexicon)
        | entity_features(view, of_question)
        | position_features(view)
        | choice_features(view, lexicon)
    )
    shape = len(view.choices), len(view.starts)
    stacked = np.empty((*shape, len(NAMES)), np.float32)
    for column, name in enumerate(NAMES):
        stacked[:, :, column] = values[name]
    return stacked


def lexical_features(view: View) -> dict[str, Floats]:
    """Scores of the systems that match words: of the whole passage (C, 1), and of each sentence (C, S)."""
    words = problem_words(view.tokens.problem)
    windows = best_windows(words)
    weights, sentences = words.passage.weights, words.passage.bags
    searched = [set(words.question).union(choice) for choice in words.choices]
    filled = [bag(choice + words.question) for choice in words.choices]
    return {
        "sliding window": _column(windows),
        "sliding window, relative": _column(window / (max(windows) or 1) for window in windows),
        "windows of all sizes": _windows_of_all_sizes(words.passage.all, weights, searched),
        "distance": _column(distances(words)),
        "mean distance": _column(distances(words, "mean")),
        "window in sentence": np.array(
            [[_matched_weight(sentence, weights, wanted) for sentence in sentences] for wanted in searched], np.float32
        ),
        "word overlap": np.array(
            [[cosine(question, sentence) for sentence in sentences] for question in filled], np.float32
        ),
    }


def _matched_weight(sentence: Bag, weights: Mapping[str, float], wanted: set[str]) -> float:
    """The summed weights of the sentence's words that are among the wanted ones."""
    return sum(weights[word] * count for word, count in sentence.counts.items() if word in wanted)


def _windows_of_all_sizes(passage: Sequence[str], weights: Mapping[str, float], searched: Sequence[set[str]]) -> Floats:
    """The mean over window sizes of the best window's sum, divided by the greatest one of all choices (C, 1).

    After Smith et al. (2015), who sum over window sizes.
    """
    matched = np.array([[weights[word] if word in wanted else 0.0 for word in passage] for wanted in searched])
    sums = np.concatenate([np.zeros((len(searched), 1)), np.cumsum(matched, axis=1)], axis=1)
    sizes = [min(size, len(passage)) for size in WINDOW_SIZES]
    means = np.mean([(sums[:, size:] - sums[:, : sums.shape[1] - size]).max(axis=1) for size in sizes], axis=0)
    return _column(means / (means.max() or 1))


def aligned_features(view: View, lexicon: Lexicon, alignment: Alignment) -> dict[str, Floats]:
    """Shares of the question's and of the choice's words in each sentence, and their products."""
    plain, resolved = alignment.in_sentences(view), alignment.resolved(view.antecedents).in_sentences(view)
    near = resolved.with_neighbours()
    count = len(view.asked)
    weights = alignment.weights[:count]
    of_question = {
        "question words": share(weights, plain.exact[:count]),
        "question words, vectors": share(weights, plain.soft[:count]),
        "question words, names": share(weights, resolved.exact[:count]),
        "question words, vectors, names": share(weights, resolved.soft[:count]),
        "question pairs": ordered_pairs(alignment.part(0, count).resolved(view.antecedents), view),
    }
    neighbours = share(weights, near.exact[:count]), share(weights, near.soft[:count])
    shape = len(view.choices), len(view.starts)
    names = (
        "choice words",
        "choice words, names",
        "choice words, vectors",
        "rare choice words, vectors",
        "choice pairs",
    )
    chosen = {name: np.zeros(shape, np.float32) for name in names}
    rare_weights, first = discriminative_weights(view, lexicon), count
    for row, weights_of_choice in enumerate(rare_weights):
        part = slice(first, first + len(weights_of_choice))
        first = part.stop
        chosen["choice words, vectors"][row] = share(alignment.weights[part], plain.soft[part])
        chosen["rare choice words, vectors"][row] = share(weights_of_choice, resolved.soft[part])
        if not view.named[row]:
            chosen["choice words"][row] = share(alignment.weights[part], plain.exact[part])
            chosen["choice words, names"][row] = share(alignment.weights[part], resolved.exact[part])
            chosen["choice pairs"][row] = ordered_pairs(alignment.part(part.start, part.stop), view)
    mentioned = best_in_sentences(view.occurrences, view)
    referred = best_in_sentences(view.occurrences[:, view.antecedents], view)
    chosen["choice words"][view.named] = mentioned[view.named]
    chosen["choice words, names"][view.named] = referred[view.named]
    return of_question | chosen | _products(of_question, chosen, neighbours)


def _products(
    of_question: dict[str, Floats], chosen: dict[str, Floats], neighbours: tuple[Floats, Floats]
) -> dict[str, Floats]:
    """Question's share times choice's share: high only where a sentence has both."""
    by_vectors = of_question["question words, vectors, names"]
    both = chosen["choice words, vectors"] * by_vectors
    rare = chosen["rare choice words, vectors"]
    return {
        "both": chosen["choice words"] * of_question["question words"],
        "both, names": chosen["choice words, names"] * of_question["question words, names"],
        "both, vectors": both,
        "rare both, vectors": rare * by_vectors,
        "both, neighbours": with_neighbours(chosen["choice words, names"]) * neighbours[0],
        "both, vectors, neighbours": with_neighbours(chosen["choice words, vectors"]) * neighbours[1],
        "rare both, vectors, neighbours": with_neighbours(rare) * neighbours[1],
        "mean of both, vectors": both.mean(axis=1, keepdims=True),
        "most of rare choice words, vectors": rare.max(axis=1, keepdims=True),
        "most of choice words, names": chosen["choice words, names"].max(axis=1, keepdims=True),
    }


def entity_features(view: View, of_question: Alignment) -> dict[str, Floats]:
    """Shares of the question's other persons, names and numbers that each sentence has, pronouns resolved (S)."""
    problem, words = view.tokens.problem, [view.tokens.question[position] for position in view.asked]
    persons = {problem.question_tokens[index].lower() for span in problem.question_persons for index in range(*span)}
    matched = best_in_sentences(of_question.exact[:, view.antecedents], view)
    chosen = {
        "persons of question": [word.lower() in persons for word in words],
        "names of question": [
            word[0].isupper() and position > 0 for word, position in zip(words, view.asked, strict=True)
        ],
        "numbers of question": [word[0].isdigit() for word in words],
    }
    return {name: share(of_question.weights * np.array(flags, np.float32), matched) for name, flags in chosen.items()}


def position_features(view: View) -> dict[str, Floats]:
    """Place of the sentence, 0 to 1, and whether it is the first (S)."""
    places = np.arange(len(view.starts), dtype=np.float32)
    return {"position": places / max(len(places) - 1, 1), "first sentence": (places == 0).astype(np.float32)}


def choice_features(view: View, lexicon: Lexicon) -> dict[str, Floats]:
    """What does not depend on the sentence: number and place of mentions, words shared with the question, length (C, 1)."""
    choices, total = view.tokens.problem.choices, len(view.ids)
    question_stems = lexicon.stems[view.question]
    return {
        "mentions": np.log1p(_column(len(choice.mentions) for choice in choices)),
        "first mention": _column(choice.mentions[0][0] / total if choice.mentions else 1.0 for choice in choices),
        "in question": _column(
            np.isin(lexicon.stems[words], question_stems).mean() if len(words) else 0.0 for words in view.choices
        ),
        "length": np.log1p(_column(len(choice.tokens) for choice in choices)),
    }


def _column(numbers: Iterable[float]) -> Floats:
    return np.array(list(numbers), np.float32)[:, None]
