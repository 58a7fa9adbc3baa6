"""Keys and values that the configuration no longer has, each with what to do instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wdw_build.errors import ConfigError

_FIXED = "remove the key: the value is fixed at {}, the former default"
REMOVED: Mapping[str, str] = {
    "execution.hang_seconds": "leave it out: stop a run that hangs with Ctrl-C; the same command resumes",
    "index": _FIXED.format("k1 0.9 and b 0.4"),
    "names": _FIXED.format("max_names 200,000"),
    "nlp.max_sentence_tokens": _FIXED.format(400),
    "questions.max_phrase_tokens": "remove the key: the limit is 10 tokens, unless rules.off names questions.refuse_long_phrase",
    "questions.climb_prepositions": "remove the key: the preposition is 'of'; any, if rules.off names questions.climb_only_of",
    "retrieve.max_valid": _FIXED.format(10),
    "retrieve.min_sentence_words": "remove the key: the number is 5, or 1 if rules.off names retrieve.ignore_short_sentences",
    "retrieve.context_words": _FIXED.format(5),
    "retrieve.min_context_words": _FIXED.format(3),
    "retrieve.max_reprint": "remove the key: the share is 0.3, unless rules.off names retrieve.refuse_reprints",
    "retrieve.max_numeric_ratio": "remove the key: the share is 0.3, unless rules.off names retrieve.refuse_tables",
    "baselines.max_sentence_overlap": "remove the key: retrieve.max_sentence_overlap applies",
    "baselines.min_sentence_words": "remove the key: retrieve.ignore_short_sentences applies",
    "baselines.context_words": _FIXED.format(5),
    "baselines.min_context_words": _FIXED.format(3),
    "suppress.min_answer_cap": _FIXED.format(10),
    "execution.dask.local_folder": "remove the key: workers search the index in output_dir, so put that on a fast file system",
    "adversary.mode": "remove the key: adversaries are bounded like the baselines",
    "adversary.scope": "remove the key: adversaries are bounded on all problems",
    "adversary.least_rounds": "remove the key: adversaries are bounded like the baselines",
    "adversary.confidence": "remove the key: adversaries are bounded like the baselines",
    "bench.folds": "wdw-build bench --cross-fit K",
    "bench.settings.closed-book": "the task wdw_filled_question_only of the export lm-eval, or api with --conditions without",
    "bench.settings.span-encoder": "write choice-encoder, or qa-model for a system that extracts spans",
    "bench.settings.open-book": "the tasks wdw and wdw_letters of the export lm-eval, or api",
    "execution.batch_tokens": _FIXED.format("16,384"),
}
REMOVED_VALUES: Mapping[str, str] = {
    "surrogate": "write codes: invented names revealed gender and kinship",
    "vectors": "write encoder, or lexical for a scorer without a model",
    "surrogate-without": "write codes-without: invented names revealed gender and kinship",
}


def refuse_removed(raw: Mapping[str, Any], source: str) -> None:
    """Raise ``ConfigError`` for a key that was removed; it says what to do."""
    for name, hint in REMOVED.items():
        *sections, key = name.split(".")
        given: Any = raw
        for section in sections:
            given = given.get(section) if isinstance(given, Mapping) else None
        if isinstance(given, Mapping) and key in given:
            raise ConfigError(f"{source}: there is no key {name} any more", hint=hint)
