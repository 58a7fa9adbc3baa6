"""Presets: named sets of values for the keys of a configuration. A key that is given in the file or by ``--set`` wins.

``careful`` is the declared defaults. ``paper`` turns off every rule that the paper does not have (docs/reference/algorithm.md,
*Added*), and keeps Algorithms 1 and 2 and the suppression.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Values = Mapping[str, Mapping[str, Any]]

# Preset -> section -> key -> value.
PRESETS: Mapping[str, Values] = {
    "careful": {},
    "paper": {
        "nlp": {"second_opinion": False, "repair_mentions": False, "document_level_names": False},
        "ingest": {"cut_credits": False, "cut_openings": False, "repair_text": False},
        "questions": {
            "persons": "last",
            "max_phrase_tokens": 0,
            "refuse_finite_verb": False,
            "refuse_modifier": False,
            "refuse_and_beside": False,
            "refuse_name_outside": False,
            "refuse_non_persons": False,
            "climb_prepositions": [],
            "refuse_cut_phrase": False,
            "extend_titles": False,
            "extend_tail": False,
            "trim_phrase": False,
            "repair_phrases": False,
            "refuse_introductions": False,
            "refuse_reader_address": False,
            "refuse_joined_sentences": False,
            "refuse_embedded_posts": False,
            "refuse_broken_text": False,
            "refuse_fragments": False,
        },
        "retrieve": {
            "search_other_person": False,
            "min_sentence_words": 1,
            "max_reprint": 0.0,
            "refuse_round_ups": False,
            "refuse_schedules": False,
            "refuse_corrections": False,
            "refuse_market_reports": False,
            "max_numeric_ratio": 0.0,
            "rank_by": "bm25",
            "min_event_score": 0.0,
        },
        "choices": {
            "above_max": "refuse",
            "max_alternatives": 1,
            "refuse_non_persons": False,
            "drop_shown_names": False,
            "merge_forms": False,
            "keep_namesakes": False,
        },
        "baselines": {"min_sentence_words": 1},
        "adversary": {"systems": []},
        "suppress": {
            "bounds": "pooled",
            "event_weight": 0.0,
            "max_per_passage": 0,
            "max_per_event": 0,
            "max_per_answer": 0.0,
        },
    },
}


def with_preset(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a configuration over those of its preset. An unknown preset is left to the decoder to refuse."""
    preset = raw.get("preset")
    values = PRESETS.get(preset, {}) if isinstance(preset, str) else {}
    merged = dict(raw)
    for section, keys in values.items():
        given = raw.get(section)
        # A section that is not a mapping is an error, which the decoder names.
        if given is None or isinstance(given, Mapping):
            merged[section] = {**keys, **(given or {})}
    return merged
