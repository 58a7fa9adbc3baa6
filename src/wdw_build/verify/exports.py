"""Exports: files that differ from the stored problems, and names that are left in exports with codes."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.backends import Backends
from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import run_alone
from wdw_build.core.run.task import Job
from wdw_build.core.store.manifest import Ingredients, read_manifest
from wdw_build.core.store.output import Output
from wdw_build.ports import EXPORTERS, CorpusExporter
from wdw_build.records import Pseudonyms
from wdw_build.stage_order import ON_DEMAND, stage_named
from wdw_build.stages.export import ExportConfig
from wdw_build.text.names.name import fold, parse
from wdw_build.verify.audited_run import AuditedRun, Recorder

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def exports(run: AuditedRun, recorder: Recorder) -> None:
    """Every exported file was made from this run, and has the problems of its split as they are stored, byte for byte."""
    for folder, made_from in exported(run):
        recorder.count()
        sources = _sources(run, folder)
        others = [name for name, content in made_from.inputs.items() if _content(sources, name) != content]
        for source in others:
            recorder.fail(folder, f"was made from another output of {source} than this run's; export the format again")
        if not others:
            _compare(run, folder, made_from, sources, recorder)


def names_left(run: AuditedRun, recorder: Recorder) -> None:
    """In JSONL exports with codes, no capitalised word identifies a replaced person."""
    for folder, made_from in exported(run):
        if made_from.config["names"] != "original":
            pseudonyms = _sources(run, folder)["pseudonyms"]
            for path in sorted((run.folder / folder).glob("jsonl/*.jsonl")):
                for line in path.read_bytes().splitlines():
                    recorder.count()
                    _check_names(pseudonyms, f"{folder}/jsonl/{path.name}", msgspec.json.decode(line), recorder)


def exported(run: AuditedRun) -> Iterator[tuple[str, Ingredients]]:
    """The folder of the stage ``export`` and those of the command, each with what its files were made from."""
    yield "export", run.outputs["export"].manifest.ingredients
    for path in sorted(run.folder.glob("exports*/*.made-from.json")):
        yield path.parent.name, msgspec.json.decode(path.read_bytes(), type=Ingredients)


def _sources(run: AuditedRun, folder: str) -> dict[str, Output]:
    """The outputs that an export may be made from: those of the run, and those that the folder of the export links to."""
    linked = {name: Output(run.folder / folder / name, stage_named(name).writes) for name in ON_DEMAND}
    return run.outputs | {name: output for name, output in linked.items() if read_manifest(output.folder) is not None}


def _content(outputs: Mapping[str, Output], name: str) -> str:
    return outputs[name].manifest.content_hash if name in outputs else ""


def _compare(
    run: AuditedRun, folder: str, made_from: Ingredients, sources: Mapping[str, Output], recorder: Recorder
) -> None:
    """Run the stage ``export`` on the stored problems, and compare its files with those in ``folder``.

    Formats that need the corpus are not compared, nor are exports by other versions of the exporters.
    """
    section = msgspec.convert(made_from.config, ExportConfig)
    ports = Backends(msgspec.structs.replace(run.config, export=section))
    exporters = ports.get(EXPORTERS)
    if ports.identity(EXPORTERS) != made_from.backends[EXPORTERS]:
        return
    formats = tuple(name for name in section.formats if not isinstance(exporters[name], CorpusExporter))
    section = msgspec.structs.replace(section, formats=formats)
    stage = stage_named("export").configured(section)
    shared = {name: msgspec.convert(keys, stage_named(name).config) for name, keys in made_from.shared.items()}
    job = Job(stage, section, made_from, {name: sources[name] for name in stage.reads}, ports, shared=shared)
    with tempfile.TemporaryDirectory(prefix="wdw-verify-") as temporary:
        output = run_alone(job, Path(temporary), Progress("quiet"))
        recorder.count(output.manifest.read)
        for name in output.own_files:
            if fault := _difference(run.folder / folder / name, output.folder / name):
                recorder.fail(f"{folder}/{name}", fault)


def _difference(exported: Path, expected: Path) -> str:
    """The first line of an exported file that differs from the expected one, in words; empty if there is none."""
    if not exported.is_file():
        return "is missing"
    with exported.open("rb") as one, expected.open("rb") as other:
        for number, line in enumerate(other, 1):
            if one.readline() != line:
                return f"line {number} is not that of the stored problems: {line[:100].decode('utf-8', 'replace')!r}"
        return "has more lines than the stored problems" if one.readline() else ""


def _check_names(outputs: Output, place: str, line: dict[str, Any], recorder: Recorder) -> None:
    pseudonyms = outputs.find(line["id"])
    if not isinstance(pseudonyms, Pseudonyms):
        recorder.fail(line["id"], f"has no pseudonyms, and is in {place}")
        return
    words = frozenset[str]().union(*(parse(person.name).core for person in pseudonyms.persons))
    for text in _strings([line["question"], line["passage"]["title"], line["passage"]["text"], line["choices"]]):
        for word in words_left(text, words):
            recorder.fail(line["id"], f"{word!r} of a replaced person is left in {place}")


def _strings(value: Any) -> Iterator[str]:
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


def words_left(text: str, words: Set[str]) -> Iterator[str]:
    """The capitalised words of a text, and their parts at hyphens and apostrophes, that belong to a replaced person."""
    for match in _WORD.finditer(text):
        parts = (match[0], *re.split("['’-]", match[0]))
        if left := next((part for part in parts if part[:1].isupper() and fold(part) in words), ""):
            yield left


CHECKS = (exports, names_left)
