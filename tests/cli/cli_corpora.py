"""Tiny corpora and configurations for the command line's tests, and the command in a process of its own."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

SAMPLE = Path(__file__).parent.parent.parent / "data" / "sample" / "articles.jsonl"


@functools.cache
def sample_lines():
    """The first articles of the sample."""
    return SAMPLE.read_text(encoding="utf-8").splitlines()[:40]


def write_config(folder, corpus, /, **sections):
    """A configuration over a corpus file, in the folder; returns its path."""
    whole = {
        "run": "tiny",
        "output_dir": "out",
        "corpus": {"reader": "jsonl", "path": str(corpus), "options": {"fields": {"title": "headline"}}},
        # Invented reports of one event share few words (configs/sample.yaml).
        "retrieve": {"min_event_score": 0.0, "min_passage_words": 0},
        "choices": {"min_evidence": 0.0},
    }
    path = Path(folder) / "config.yaml"
    path.write_text(yaml.safe_dump(whole | sections), encoding="utf-8")
    return path


def write_corpus(folder, lines, name="articles.jsonl"):
    """A corpus of JSON lines; what is no text is encoded."""
    path = Path(folder) / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def article(name, text="It rained all day in the hills. Nobody came.", date="2014-03-04", **fields):
    # Short texts with other titles are no copies.
    made = {"id": name, "date": date, "source": "Harbour Press", "kind": "story", "headline": f"T {name}", "text": text}
    return made | fields


def start(*arguments, **changes):
    """The command in a process (group) of its own."""
    command = [sys.executable, "-m", "wdw_build.cli", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=os.environ | changes, text=True, start_new_session=True, **pipes)


def needs_a_library() -> None:
    """A command that imports a library which is not installed."""
    import nowhere  # noqa: F401 (the import must fail)
