"""The scripts of examples/ run as files, two of them on the real run; the reader is found as a plug-in."""

import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
from cli_corpora import write_config

from support import interpreter

EXAMPLES = Path(__file__).parents[2] / "examples"
READER = EXAMPLES / "own_reader"
pytestmark = pytest.mark.real


def python(*arguments, path=()):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, path), *sys.path])}
    return interpreter.python(*arguments, env=environment)


def test_build_and_look_prints_the_funnel_a_problem_and_the_way_of_a_rejected_article(built):
    out, count = python(EXAMPLES / "build_and_look.py", built.config), len(built.problems)
    assert re.search(rf"^export +read +{count}, wrote +{count}, rejected +0$", out, re.MULTILINE)
    answer, choices = (re.search(rf"^{name}: (.+)$", out, re.MULTILINE)[1] for name in ("answer", "choices"))
    assert answer in choices.split(", ")
    assert re.search(r"^  questions    rejected\n  retrieve     not-reached$", out, re.MULTILINE)


def test_the_analysis_counts_each_problem_once(built):
    pytest.importorskip("pandas", reason="the table needs the extra hf")
    out = python(EXAMPLES / "analyse_with_pandas.py", built.folder)
    counts = re.findall(r"^\d +(\d+)$", out[out.index("choices\n") : out.index("chance on")], re.MULTILINE)
    assert sum(map(int, counts)) == len(built.problems)
    assert re.search(r"chance on the strict problems: 0\.\d{3}\n  first-person ", out)


def test_the_reader_shows_what_ingest_makes_of_its_files():
    assert python(READER / "day_files.py").splitlines() == [
        "2014-03-04.1  My Agency, 2014-03-04: Fair opens",
        "2014-03-05.1  My Agency, 2014-03-05: Fair closes early",
        "2014-03-04.txt:2  rejected: unreadable (nothing after the title)",
    ]


def test_the_reader_is_found_by_the_entry_point_of_its_package(tmp_path):
    """What pip would write for the package is written here: its metadata with the entry points of its pyproject.toml."""
    project = tomllib.loads((READER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = tmp_path / "site" / f"{project['name']}-{project['version']}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    ((group, points),) = project["entry-points"].items()
    (metadata / "entry_points.txt").write_text(f"[{group}]\n" + "".join(f"{key} = {points[key]}\n" for key in points))
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "2014-03-04.txt").write_text("Fair opens\nIt rained.\n\nNobody came.\n%%\nA title only\n")
    section = {"reader": "day-files", "path": str(corpus), "options": {"source": "My Agency"}}
    config = write_config(tmp_path, corpus, corpus=section)
    ran = python("-m", "wdw_build.cli", "run", "ingest", "-c", config, path=(tmp_path / "site", READER))
    assert ran == "ran: ingest\n"
    (line,) = (tmp_path / "out/runs/tiny/ingest/part-00000.jsonl").read_bytes().splitlines()
    expected = {"id": "2014-03-04.1", "source": "My Agency", "paragraphs": ["It rained.", "Nobody came."]}
    assert json.loads(line).items() >= expected.items()
