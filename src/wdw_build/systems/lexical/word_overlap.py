"""Word overlap (Onishi et al. 2016, Table 4): cosine similarity of question and choice to the best sentence."""

from __future__ import annotations

from wdw_build.systems.words import ProblemWords, bag, cosine


def best_sentence_overlaps(words: ProblemWords) -> list[float]:
    """For each choice, max over sentences s of CosSim(bag(choice + question), bag(s)); 0 for a passage without words."""
    sentences = [bag(sentence) for sentence in words.sentences]
    filled = (bag(choice + words.question) for choice in words.choices)
    return [max((cosine(hypothesis, sentence) for sentence in sentences), default=0.0) for hypothesis in filled]
