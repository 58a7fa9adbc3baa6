"""``config``: shows, checks and describes the configuration. ``config check`` opens the corpus."""

from __future__ import annotations

import sys

from wdw_build.cli.article_text import articles_shown, look_text
from wdw_build.cli.base import open_pipeline, print_json, print_result
from wdw_build.cli.options import ConfigFile, Json, Overrides
from wdw_build.config.file import as_keys, as_yaml, config_schema
from wdw_build.corpus_look.first_look import SAMPLED, sample_look
from wdw_build.corpus_look.sample import sample_corpus
from wdw_build.ports import ADVERSARIES, EXPORTERS, READER, SENTENCE_SPLITTER


def schema() -> None:
    """``config schema``."""
    print_json(config_schema())


def show(config: ConfigFile, overrides: Overrides, as_json: Json = False) -> None:
    """``config show``."""
    shown = open_pipeline(config, overrides, quiet=True).config
    if as_json:
        print_json(as_keys(shown))
    else:
        # A file format: UTF-8, whatever the encoding of the terminal.
        sys.stdout.buffer.write(as_yaml(shown).encode())


def check(config: ConfigFile, overrides: Overrides, as_json: Json = False) -> None:
    """``config check``: check the settings, then read a sample of the corpus. Raises what ``all`` would raise for it."""
    pipeline = open_pipeline(config, overrides, quiet=True)
    pipeline.ports.get(EXPORTERS)
    pipeline.ports.get(ADVERSARIES)
    reader = pipeline.ports.get(READER)
    sample = sample_corpus(reader, SAMPLED)
    look = sample_look(pipeline.config, reader, sample)
    if look.unclear_dates is not None:
        raise look.unclear_dates
    shown = articles_shown(look, look.pairs[:1], pipeline.ports.get(SENTENCE_SPLITTER))
    found = {
        "ok": True,
        "records": len(look.entries),
        "articles": len(look.pairs),
        "rejected": look.reasons,
        "first": shown[0],
        "notes": look.notes,
    }
    print_result(found, f"{look_text(look, shown, sample.in_words)}\n{config}: ok", as_json=as_json)
