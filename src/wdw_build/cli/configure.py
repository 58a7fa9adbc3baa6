"""``config``: shows, checks and describes the configuration. ``config check`` opens the corpus."""

from __future__ import annotations

import argparse
import sys

from wdw_build.cli.article_text import articles_shown, look_text
from wdw_build.cli.base import open_pipeline, print_json, print_result
from wdw_build.core.config_file import as_keys, as_yaml, config_schema
from wdw_build.estimate.first_look import first_look
from wdw_build.ports import ADVERSARIES, EXPORTERS, READER, SENTENCE_SPLITTER


def schema(options: argparse.Namespace) -> int:
    """``config schema``."""
    print_json(config_schema())
    return 0


def show(options: argparse.Namespace) -> int:
    """``config show``."""
    config = open_pipeline(options).config
    if options.json:
        print_json(as_keys(config))
    else:
        # A file format: UTF-8, whatever the encoding of the terminal.
        sys.stdout.buffer.write(as_yaml(config).encode())
    return 0


def check(options: argparse.Namespace) -> int:
    """``config check``: check the settings, then read the first records. Raises what ``all`` would raise for them."""
    pipeline = open_pipeline(options)
    pipeline.ports.get(EXPORTERS)
    pipeline.ports.get(ADVERSARIES)
    reader = pipeline.ports.get(READER)
    if pipeline.config.corpus.path == "-":
        # Standard input can be read once, and may wait for a writer.
        print_result(options, {"ok": True}, f"{options.config}: ok; the corpus is standard input, which is not read")
        return 0
    look = first_look(pipeline.config, reader)
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
    records = f"the first {len(look.entries)} records"
    print_result(options, found, f"{look_text(look, shown, records)}\n{options.config}: ok")
    return 0
