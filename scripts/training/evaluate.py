"""evaluate: scores a bundle on held-out data with given tokens, in the pipeline that annotates articles.

Persons are scored by exact span; trees, by labelled brackets, with the tags of the bundle's own tagger.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from training import scoring
from training.layout import Sentence, Workplace
from training.scoring import Score, score_trees, tags_of

AT_ONCE = 256


def _pipeline(models: Path, name: str, processors: str) -> Any:
    import stanza

    return stanza.Pipeline(
        "en",
        dir=str(models),
        package=name,
        processors=processors,
        tokenize_pretokenized=True,
        download_method=None,
        use_gpu=False,
        logging_level="ERROR",
        ner_batch_size=64,
        constituency_batch_size=64,
    )


def _annotated(pipeline: Any, sentences: list[list[str]]) -> list[Any]:
    found: list[Any] = []
    for start in range(0, len(sentences), AT_ONCE):
        found += pipeline(sentences[start : start + AT_ONCE]).sentences
    return found


def score_persons(pipeline: Any, sentences: list[Sentence]) -> Score:
    """Score the PERSON spans of annotated sentences."""
    annotated = _annotated(pipeline, [[token["text"] for token in sentence] for sentence in sentences])
    return scoring.score_persons(sentences, ((token.ner for token in found.tokens) for found in annotated))


def _row(kind: str, name: str, size: int, score: Score) -> dict[str, Any]:
    return {
        "measure": kind,
        "set": name,
        "sentences": size,
        "precision": round(100 * score.precision, 2),
        "recall": round(100 * score.recall, 2),
        "f1": round(100 * score.f1, 2),
    }


def _tree_rows(pipeline: Any, name: str, trees: list[Any]) -> list[dict[str, Any]]:
    words = [[leaf.children[0].label for leaf in tree.yield_preterminals()] for tree in trees]
    predicted = [sentence.constituency for sentence in _annotated(pipeline, words)]
    tags = Score()
    for gold, guess in zip(trees, predicted, strict=True):
        pairs = list(zip(tags_of(gold), tags_of(guess), strict=True))
        tags.add(sum(a == b for a, b in pairs), len(pairs), len(pairs))
    return [
        _row("tags", name, len(trees), tags),
        _row("brackets", name, len(trees), score_trees(trees, predicted)),
        _row("NP brackets", name, len(trees), score_trees(trees, predicted, "NP")),
    ]


def evaluate(place: Workplace, models: Path, name: str, ner: list[str], trees: list[str]) -> list[dict[str, Any]]:
    """Score the sets in ``ner`` and ``trees``."""
    from stanza.models.constituency import tree_reader

    rows = []
    if ner:
        pipeline = _pipeline(models, name, "tokenize,ner")
        for chosen in ner:
            sentences = place.ner(chosen)
            rows.append(_row("PERSON", chosen, len(sentences), score_persons(pipeline, sentences)))
    if trees:
        pipeline = _pipeline(models, name, "tokenize,pos,constituency")
        for chosen in trees:
            gold = list(tree_reader.read_trees(place.text(f"trees/{chosen}.mrg"), use_tqdm=False))
            rows += _tree_rows(pipeline, chosen, gold)
    return rows
