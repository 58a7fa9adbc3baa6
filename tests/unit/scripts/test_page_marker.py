"""fit_page_marker counts the segments that marks find and lose; the labels hold no text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from fit_page_marker import tally
from training.labelled_pages import PageArticle, Segment
from training.minilm_weights import mean, quantised, write
from training.page_marker import PageNetwork, layers_of
from wdw_build.records import Mark

LABELS = Path(__file__).parents[3] / "data" / "labels" / "page_segments.jsonl"


def test_segments_that_are_found_and_lost_are_counted():
    text = ["Read more here. The ferry sank. Nobody was hurt. Photo: Bo Beck It was raining."]
    places = ((0, 15, "P", ()), (16, 31, "S", ()), (32, 48, "S", ()), (49, 79, "M", [(0, 14)]))
    article = PageArticle("lk2024", "a", "Post", "", text, [Segment(0, *place) for place in places])
    made = {"kind": "page", "paragraph": 0, "by": "model", "score": 0.9}
    spans = [(0, 15), (32, 48), (49, 63)]
    marks = [Mark(text=text[0][start:end], start=start, end=end, **made) for start, end in spans]
    there = {"whole": 1, "story": 2, "mixed": 1}
    assert tally(article, marks) == there | {"whole found": 1, "story found": 1, "mixed found": 1}
    assert tally(article, []) == there | {"whole found": 0, "story found": 0, "mixed found": 0}


def test_the_labels_hold_ids_and_places_in_order():
    for line in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines()):
        assert set(line) - {"test", "rest"} == {"corpus", "id", "source", "segments", "labels"}
        places = [tuple(label[:3]) for label in line["labels"]]
        assert all(start < end for _, start, end in places)
        assert places == sorted(places)


@pytest.mark.real
@pytest.mark.parametrize("layers", [3, 6])
def test_all_layers_of_a_network_are_written_and_no_others(layers):
    written = {name.partition(".")[0] for name in layers_of(PageNetwork(layers, None))}
    assert written == set(map(str, range(layers)))


def test_the_mean_of_two_models_is_that_of_their_weights(tmp_path):
    models = []
    for number in (1.0, 3.0):
        models.append(tmp_path / f"{number}.pt")
        write(
            quantised({"0.qkv.weight": torch.full((2, 4), number), "0.qkv.bias": torch.tensor([number, 0.0])}),
            models[-1],
        )
    found = mean(models)
    whole = found["0.qkv.weight"] * found["0.qkv.weight.scale"][:, None]
    assert whole.numpy() == pytest.approx(2.0)
    assert found["0.qkv.bias"].tolist() == [2.0, 0.0]
