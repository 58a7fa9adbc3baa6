"""The JSONL export: each file holds the problems of its split, each line equals its problem, and the card says how many.

The files are streamed, and the problems are read by id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from wdw_build.core.hashing import uniform_hash
from wdw_build.records import Exported, Problem, SplitAssignment
from wdw_build.verify.checked_run import CheckedRun, Recorder
from wdw_build.verify.run_files import read

JSONL = {
    ("strict", "train"): ("jsonl/train.jsonl", "jsonl/train.relaxed.jsonl"),
    ("relaxed", "train"): ("jsonl/train.relaxed.jsonl",),
    ("strict", "validation"): ("jsonl/validation.jsonl",),
    ("strict", "test"): ("jsonl/test.jsonl",),
}
XML_OF = {
    "jsonl/train.jsonl": "wdw-xml/Strict/train.xml",
    "jsonl/train.relaxed.jsonl": "wdw-xml/Relaxed/train.xml",
    "jsonl/validation.jsonl": "wdw-xml/Strict/val.xml",
    "jsonl/test.jsonl": "wdw-xml/Strict/test.xml",
}
BLANK = "XXX"
_CARD = "jsonl/README.md"
_CARD_SPLITS = {
    ("strict", "train"): "train.jsonl",
    ("relaxed", "train"): "train.relaxed.jsonl",
    **{(level, split): f"{split}.jsonl" for level in ("strict", "relaxed") for split in ("validation", "test")},
}


def belongs_in(place: SplitAssignment) -> tuple[str, ...]:
    """The JSONL files that a problem belongs in."""
    return JSONL.get((place.level, place.split), ())


def lines_of(run: CheckedRun, file: str) -> Iterator[dict[str, Any]]:
    """The lines of an exported file. Raises ``CheckError`` if a line is not a JSON object."""
    return read(run.files.file(f"{run.export_folder}/{file}"), dict)


def lines_with_problems(run: CheckedRun) -> Iterator[tuple[str, dict[str, Any], Problem]]:
    """Each file and line of the JSONL export with the problem of its id.

    Lines that do not belong in the export are left out: the check ``export-files`` reports them.
    """
    for file in XML_OF if "jsonl" in run.config.export.formats else ():
        for line in lines_of(run, file):
            problem = run.problems.find(str(line.get("id")))
            if problem is not None and problem.id in run.exported:
                yield file, line, problem


def expected_line(run: CheckedRun, problem: Problem) -> dict[str, Any]:
    """The line that the export writes for a problem, with its original names; choices are in the order of the export."""
    question, passage, choices, answer = problem.question, problem.passage, list(problem.choices), problem.answer
    if run.config.export.choices != "passage":
        # The sort is stable: choices with equal hashes keep their order.
        choices.sort(key=lambda choice: uniform_hash(run.config.seed, "export", f"{problem.id}\x1f{choice.name}"))
        answer = choices.index(problem.choices[answer])
    first, last = question.blank_tokens
    left = question.sentence[: question.blank.start]
    right = question.sentence[question.blank.end :]
    return {
        "id": problem.id,
        "date": question.date.isoformat(),
        "source": question.source,
        "question": {
            "text": f"{left}{BLANK}{right}",
            "left": left,
            "deleted": question.blank.text,
            "right": right,
            "tokens": {
                "left": list(question.tokens[:first]),
                "blank": list(question.tokens[first:last]),
                "right": list(question.tokens[last:]),
            },
            "name": question.name.text,
        },
        "passage": {
            "id": passage.article,
            "date": passage.date.isoformat(),
            "source": passage.source,
            "title": passage.title,
            "text": passage.text,
        },
        "choices": [choice.name for choice in choices],
        "answer": answer,
        "level": run.exported[problem.id].level,
        "event_score": problem.event_score,
    }


def export_files(run: CheckedRun, recorder: Recorder) -> None:
    """Each exported file contains every problem of its split exactly once, and no other problem."""
    if run.export_folder == "export":
        _check_records(run, recorder)
    for file in XML_OF if "jsonl" in run.config.export.formats else ():
        wanted = {name for name, place in run.exported.items() if file in belongs_in(place)}
        recorder.count(len(wanted))
        seen = Counter(str(line.get("id")) for line in lines_of(run, file))
        for name in sorted(wanted - seen.keys()):
            recorder.fail(name, f"is missing from {file}")
        for name in sorted(seen.keys() - wanted):
            recorder.fail(name, f"does not belong in {file}")
        for name in sorted(name for name, count in seen.items() if count > 1):
            recorder.fail(name, f"is twice in {file}")


def _check_records(run: CheckedRun, recorder: Recorder) -> None:
    """Compare the files that the export stage records for each problem with those that it belongs in.

    For formats other than jsonl and wdw-xml, check only that the recorded files exist.
    """
    formats = run.config.export.formats
    for record in run.files.records("export", Exported):
        if record.id not in run.exported:
            continue
        jsonl = belongs_in(run.exported[record.id])
        wanted = [name for name in jsonl if "jsonl" in formats]
        wanted += [XML_OF[name] for name in jsonl if "wdw-xml" in formats]
        recorded = sorted(name for name in record.files if name.startswith(("jsonl/", "wdw-xml/")))
        if recorded != sorted(wanted):
            recorder.fail(record.id, f"is recorded in {recorded}, but belongs in {sorted(wanted)}")
        for name in set(record.files) - set(recorded):
            if not (run.files.folder / "export" / name).is_file():
                recorder.fail(record.id, f"is recorded in {name}, which does not exist")


def export_jsonl(run: CheckedRun, recorder: Recorder) -> None:
    """Each line of the JSONL export equals the stored problem (if export.names is original)."""
    if run.config.export.names != "original":
        return
    for file, line, problem in lines_with_problems(run):
        recorder.count()
        expected = expected_line(run, problem)
        for field in [field for field in expected if line.get(field) != expected[field]]:
            recorder.fail(problem.id, f"the field {field} in {file} differs from the problem")
        if extra := sorted(line.keys() - expected.keys()):
            recorder.fail(problem.id, f"{file} has the undocumented fields {extra}")


def export_card(run: CheckedRun, recorder: Recorder) -> None:
    """The dataset card of the JSONL export gives the file and the size of each split."""
    if "jsonl" not in run.config.export.formats:
        return
    counts = Counter(Path(file).name for place in run.exported.values() for file in belongs_in(place))
    wanted = {split: (file, counts[file]) for split, file in _CARD_SPLITS.items() if counts[file]}
    recorder.count(len(wanted))
    try:
        stated, defaults = _stated(run.files.file(f"{run.export_folder}/{_CARD}"))
    except (ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        recorder.fail(_CARD, f"has no readable YAML header with the splits: {type(error).__name__}: {error}")
        return
    for level, split in sorted(wanted.keys() | stated.keys()):
        given, expected = stated.get((level, split)), wanted.get((level, split))
        if given != expected:
            recorder.fail(_CARD, f"states {given} for {split} of {level}, not {expected}")
    if defaults != ["strict"]:
        recorder.fail(_CARD, f"has the default {defaults}")


def _stated(path: Path) -> tuple[dict[tuple[str, str], tuple[str, int]], list[str]]:
    """The file and size of each configuration and split that a card states, and its default configurations.

    Raises ``ValueError``, ``KeyError``, ``TypeError`` or ``yaml.YAMLError`` if the YAML header has another form.
    """
    _, head, _ = path.read_text(encoding="utf-8").split("---\n", 2)
    card: dict[str, Any] = yaml.safe_load(head)
    files = {(one["config_name"], file["split"]): file["path"] for one in card["configs"] for file in one["data_files"]}
    sizes = {
        (one["config_name"], split["name"]): split["num_examples"]
        for one in card["dataset_info"]
        for split in one["splits"]
    }
    if files.keys() != sizes.keys():
        raise ValueError(
            f"the splits with a file and those with a number of problems differ: {list(files)}, {list(sizes)}"
        )
    stated = {split: (file, sizes[split]) for split, file in files.items()}
    return stated, [one["config_name"] for one in card["configs"] if one.get("default")]
