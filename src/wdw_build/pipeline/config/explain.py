"""What to say of a configuration that cannot be decoded: the key, what is wrong with its value, and what to write instead.

The keys and values that were removed are listed with what to do instead.
"""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from wdw_build.core.section import Section, extras, field_docs, in_quotes
from wdw_build.errors import ConfigError
from wdw_build.pipeline.config.settings import config_type

_UNKNOWN = re.compile(r"unknown field `(?P<key>[^`]*)`(?: - at `\$\.?(?P<where>[^`]*)`)?")
# The names of msgspec's types, in words.
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a section of keys",
    "null": "nothing",
    "date": "a date",
    "datetime": "a date",
    "time": "a time",
}
_KIND = re.compile("`([a-z| ]+)`")
_SCHEMA = "wdw-build config schema  lists every key, type and bound"


def explained(
    error: msgspec.ValidationError, source: Path, given: Mapping[str, Any], overrides: Sequence[str] = ()
) -> ConfigError:
    """The error for keys that cannot be decoded, with what to write in ``source``, or in the override that gave the value.

    ``given``: the keys with their values as they are written, or as they were decoded.
    """
    message = str(error)
    if unknown := _UNKNOWN.search(message):
        section, key = unknown.group("where") or "", unknown.group("key")
        near = _nearest(section, key)
        hint = f"did you mean {near!r}?" if near else f"known keys: {', '.join(_keys(section))}"
        return ConfigError(f"{source}: unknown key {'.'.join(filter(None, [section, key]))!r}", hint=hint)
    where = re.search(r" - at `\$\.?(?P<where>[^`]*)`", message)
    key = where.group("where") if where else ""
    fault = message.split(" - at ")[0].replace("Object missing required field", "missing key")
    value = re.fullmatch(r"Invalid enum value '(.*)'", fault)
    if value and value[1] in REMOVED_VALUES:
        return ConfigError(f"{source}: {key}: there is no value {value[1]!r} any more", hint=REMOVED_VALUES[value[1]])
    hint = _hint(key, fault) or _with_quotes(error, key, given, overrides) or _SCHEMA
    if "matching regex" in fault:
        fault = "this text is not allowed"
    elif fault.startswith("Expected"):
        fault = _KIND.sub(_in_words, fault)
    return ConfigError(f"{source}: {key or 'top level'}: {fault}", hint=hint)


def _in_words(kinds: re.Match[str]) -> str:
    return " or ".join(_KINDS.get(kind, kind) for kind in kinds[1].split(" | "))


def _with_quotes(error: msgspec.ValidationError, key: str, given: Mapping[str, Any], overrides: Sequence[str]) -> str:
    """How to write a text that YAML reads as another type; empty for another error."""
    with contextlib.suppress(LookupError):
        if pair := in_quotes(error, given):
            name, quoted = pair
            whole, keys = key.partition("[")[0], [override.partition("=")[0] for override in overrides]
            if any(whole == given_key or whole.startswith(f"{given_key}.") for given_key in keys):
                return f"write it in quotes: --set '{whole}={quoted}'"
            return f"write it in quotes: {name}: {quoted}"
    return ""


def _nearest(section: str, key: str) -> str:
    """The key that the user probably means: one of another section, or a similar one; else empty."""
    elsewhere = [f"{other}.{key}" for other in _keys("") if key in _keys(other)]
    similar = difflib.get_close_matches(key, _keys(section), 1)
    return next(iter((*elsewhere, *similar)), "")


def _hint(key: str, fault: str) -> str:
    """What to write for a key: its allowed values, or a description for a text of a certain form; empty if anything else."""
    section, _, name = key.rpartition(".")
    # A text of a few may also be one that YAML reads as another type.
    is_text = re.match(r"Invalid enum value|Expected `(.* \| )?str`", fault)
    allowed = _allowed(_type_of(key.partition("[")[0])) if is_text else []
    if allowed:
        return f"one of: {', '.join(allowed)}"
    if fault.startswith("Expected `float`, got"):
        return "such as 0.3, with a decimal point"
    if fault.startswith("Expected `array`, got"):
        return "in brackets, such as [1, 3, 7] or [jsonl, squad]"
    if fault.startswith("Expected `bool`, got"):
        return "true or false, without quotes"
    if "matching regex" in fault and (about := field_docs(_type_of(section)).get(name)):
        return f"{name}: {about}"
    return ""


def _allowed(kind: Any) -> list[str]:
    """The values of an enumeration, or of a choice between an enumeration and a number; else none."""
    if get_origin(kind) is Literal:
        return [str(value) for value in get_args(kind)]
    if get_origin(kind) is Annotated and get_origin(get_args(kind)[0]) is None:
        meta = next(meta for meta in get_args(kind) if isinstance(meta, msgspec.Meta))
        return [f"a number from {meta.ge:g} to {meta.le:g}"] if meta.ge is not None and meta.le is not None else []
    return [value for part in get_args(kind) for value in _allowed(part)]


def _type_of(key: str) -> Any:
    """The declared type of a key or section; for an empty name, of the whole configuration."""
    kind: Any = config_type()
    for name in filter(None, key.split(".")):
        kind = get_type_hints(kind, include_extras=True).get(name)
    return kind


def _keys(section: str) -> list[str]:
    kind = _type_of(section)
    return [key for key in kind.__struct_fields__ if key not in extras(kind, "rule")] if is_section(kind) else []


def is_section(kind: Any) -> bool:
    """Whether a type is a section of keys."""
    return isinstance(kind, type) and issubclass(kind, Section)


# ---- what was removed ------------------------------------------------------------------------------------------------

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
    "retrieve.page_text_last": "remove it: choices.max_page_text refuses such passages; 1.0 switches that off",
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
        keys: Any = raw
        for section in sections:
            keys = keys.get(section) if isinstance(keys, Mapping) else None
        if isinstance(keys, Mapping) and key in keys:
            raise ConfigError(f"{source}: there is no key {name} any more", hint=hint)
