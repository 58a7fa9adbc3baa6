"""Runs commands with an installed plug-in stage, on a toy corpus and with stand-ins for the models.

``python plugin_run.py CONFIG FOLDER`` in a process of its own, because plug-ins are discovered once a process. Each command
of ``COMMANDS`` leaves its exit code, stdout and stderr in ``FOLDER``.
"""

import json
import os
import sys
from pathlib import Path

import yaml

from support import make
from support import toy_pipeline as toy
from wdw_build.cli import main
from wdw_build.pipeline import backends

COMMANDS = {
    "dry-run": ["all", "--dry-run", "--json"],
    "all": ["all", "--json"],
    "status": ["status", "--check"],
    "inspect": ["inspect", "cap", "--rejected"],
    "report": ["report", "-o", "report.html"],
    "verify": ["verify"],
    "trace": ["trace", "second"],
    "unknown key": ["config", "check", "--set", "cap.moste=1"],
    "wrong value": ["config", "check", "--set", "cap.most=0"],
    "verify without the last record": ["verify"],
}
# A second question for the first passage, so that a cap of one article for each first passage rejects one of the two.
SECOND = "a jury in Arden heard on Tuesday that Bert Cole wants far more money from Ann Adler after years of argument about it."


def write_config(folder):
    """A toy corpus and a configuration over it with a cap of one problem; returns the configuration's path."""
    articles = [*toy.events(), make.raw("second", date="2014-03-01", paragraphs=(SECOND, "nothing else is known."))]
    lines = [
        {"id": one.id, "date": one.date, "source": one.source, "kind": one.kind, "text": "\n\n".join(one.paragraphs)}
        for one in articles
        if one.id
    ]
    (folder / "articles.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    config = {
        "run": "toy",
        "output_dir": "out",
        "corpus": {"reader": "jsonl", "path": "articles.jsonl"},
        "retrieve": {"min_event_score": 0.0, "min_passage_words": 0},
        "choices": {"min_evidence": 0.0},
        "cap": {"most": 1},
        "suppress": {"strict": 1.0, "relaxed": 1.0, "max_per_event": 0},
        "split": {"max_share": 0.5},
        "export": {"formats": ["jsonl"]},
        # The stand-ins are in this process.
        "execution": {"workers": 1},
    }
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


def _run(arguments, folder):
    """Run a command with its output in files; returns the exit code."""
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / name, os.O_CREAT | os.O_WRONLY), number)
    code = main(arguments)
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    stand_ins = toy.ports()
    for port in ("annotator", "page_tagger", "annotations", "index", "event_scorer", "language_model", "solver"):
        backends._MAKERS[port] = lambda config, port=port: stand_ins.get(port)
    for name, arguments in COMMANDS.items():
        if name == "verify without the last record":
            part = Path("out/runs/toy/cap/part-00000.jsonl")
            part.write_text("".join(part.read_text().splitlines(True)[:-1]))
        results = Path(sys.argv[2]) / name
        results.mkdir(parents=True)
        code = _run([*arguments, "-c", sys.argv[1]], results)
        (results / "code").write_text(str(code))
