"""Runs the golden corpus through the real components and writes what comes out as the expectation.

    python tests/golden/accept.py

See README.md beside this file for when that is right. ``test_golden.py`` compares with what this module collects.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
STAGES = tuple(
    "ingest sentences names questions retrieve choices dedup baselines adversary suppress problems pseudonyms split".split()
)
# BM25 is a sum of floats: its last digits say nothing.
_DIGITS = 2


def _rounded(value, key=""):
    if isinstance(value, dict):
        return {name: _rounded(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one, key) for one in value]
    return round(value, _DIGITS) if key == "score" else value


def _line(line, stage):
    record = _rounded(json.loads(line))
    if stage in ("baselines", "adversary"):
        for predictions in (record, *record.get("others", ())):
            predictions.get("scores", {}).pop("ngram", None)
    return json.dumps(record, ensure_ascii=False)


def collect(run_folder):
    """Every golden file of a run, by its name in ``expected``: records and rejections of the stages, and the exports."""
    found = {}
    for stage in STAGES:
        for path in sorted((run_folder / stage).glob("*.jsonl")):
            lines = path.read_text(encoding="utf-8").splitlines()
            found[f"{stage}/{path.name}"] = "".join(f"{_line(line, stage)}\n" for line in lines)
    export = run_folder / "export"
    for path in sorted([*export.glob("part-*.jsonl"), *export.glob("jsonl/*"), *export.glob("wdw-xml/*/*")]):
        found[f"export/{path.relative_to(export).as_posix()}"] = path.read_text(encoding="utf-8")
    return found


def build(folder, overrides=()):
    """Run the whole pipeline on the golden corpus, its outputs under ``folder``; returns the run's folder.

    ``overrides`` are further keys, as for ``--set``.
    """
    from wdw_build.core.progress import Progress
    from wdw_build.pipeline.config.file import load_config
    from wdw_build.pipeline.pipeline import Pipeline

    pipeline = Pipeline(load_config(HERE / "golden.yaml", [f"output_dir={folder}", *overrides]), Progress("quiet"))
    pipeline.run()
    pipeline.run(["pseudonyms"])
    return pipeline.run_folder


def expected():
    """The files that were accepted, by name."""
    return {
        path.relative_to(EXPECTED).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(EXPECTED.rglob("*"))
        if path.is_file()
    }


def accept():
    """Write what comes out now as the expectation; returns the names of the files that changed."""
    with tempfile.TemporaryDirectory(prefix="wdw-golden-") as folder:
        found = collect(build(Path(folder)))
    before = expected() if EXPECTED.exists() else {}
    shutil.rmtree(EXPECTED, ignore_errors=True)
    for name, text in found.items():
        (EXPECTED / name).parent.mkdir(parents=True, exist_ok=True)
        (EXPECTED / name).write_text(text, encoding="utf-8")
    return sorted(name for name in found.keys() | before.keys() if found.get(name) != before.get(name))


if __name__ == "__main__":
    changed = accept()
    print("\n".join(f"changed: {name}" for name in changed) or "nothing changed")
    if changed:
        print("now raise the stage's version and add a line under 'Data changes' in CHANGELOG.md", file=sys.stderr)
