"""The exported files: those of the stage ``export``, and those that the command ``export`` wrote into the run's folder.

The command writes ``<format>.made-from.json`` beside each format: the settings, and the hashes of the outputs that it read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from wdw_build.core.config.settings import Config, ExportConfig
from wdw_build.errors import CheckError, UsageError
from wdw_build.records import SplitAssignment
from wdw_build.verify.checks import card, exports, names, spans, xml_form
from wdw_build.verify.files import Ingredients, RunFiles
from wdw_build.verify.report import CheckRecorder, Recorders

FOLDERS = ("exports", "exports-codes", "exports-surrogate")


def check(files: RunFiles, placed: dict[str, SplitAssignment], config: Config, recorders: Recorders) -> None:
    """Compare the files of every format that is checked with the problems in ``placed``."""
    formats = config.export.formats
    check_lines = exports.check_jsonl if config.export.names == "original" else names.check
    if "jsonl" in formats:
        check_lines(files, placed, config, recorders)
        card.check(files, placed, recorders)
    if "wdw-xml" in formats and ("jsonl" in formats or config.export.names == "original"):
        xml_form.check(files, placed, config, recorders)
    spans.check(files, placed, config, recorders)


def exported(files: RunFiles, placed: dict[str, SplitAssignment], config: ExportConfig) -> dict[str, SplitAssignment]:
    """The placements of the problems that an export with these settings contains."""
    return names.without_rejected(files, exports.without_low_scores(files, placed, config), config)


def check_command(files: RunFiles, placed: dict[str, SplitAssignment], config: Config, recorders: Recorders) -> None:
    """Check what the command ``export`` wrote into the run's folder, with the settings that each export was made with."""
    for folder in FOLDERS:
        for path in sorted((files.folder / folder).glob("*")):
            # The command writes into a hidden folder first.
            if path.is_dir() and not path.name.startswith("."):
                _check_format(files, path, placed, config, recorders["command-exports"])


def _check_format(
    files: RunFiles, path: Path, placed: dict[str, SplitAssignment], config: Config, recorder: CheckRecorder
) -> None:
    recorder.count()
    place = f"{path.parent.name}/{path.name}"
    try:
        made_from, settings = _made_from(path)
        faults = list(_other_inputs(files, made_from))
        for fault in faults:
            recorder.fail(place, f"{fault}; wdw-build export {path.name} writes it again")
        if not faults:
            same = msgspec.structs.replace(config, seed=made_from.seed, export=settings)
            within = _RecordersWithin(recorder, place)
            check(files.with_exports(path.parent.name), exported(files, placed, settings), same, within)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        recorder.fail(place, f"has no readable {path.name}.made-from.json ({error}); wdw-build export writes both")
    except (CheckError, UsageError) as error:
        recorder.fail(place, error.message)


def _made_from(path: Path) -> tuple[Ingredients, ExportConfig]:
    made_from = msgspec.json.decode(path.with_name(f"{path.name}.made-from.json").read_bytes(), type=Ingredients)
    return made_from, msgspec.convert(made_from.config, ExportConfig)


def _other_inputs(files: RunFiles, made_from: Ingredients) -> Iterator[str]:
    for source, content in made_from.inputs.items():
        if content != files.content(source):
            yield f"was made from another output of {source} than this run's"


class _RecorderWithin(CheckRecorder):
    """Records failures under one check, with the folder in which they are."""

    def __init__(self, recorder: CheckRecorder, folder: str) -> None:
        self._recorder, self._folder = recorder, folder

    def count(self, count: int = 1) -> None:
        self._recorder.count(count)

    def fail(self, place: str, fault: str) -> None:
        self._recorder.fail(f"{self._folder}: {place}", fault)


class _RecordersWithin(Recorders):
    """Recorders that all lead to one check."""

    def __init__(self, recorder: CheckRecorder, folder: str) -> None:
        self._recorder = _RecorderWithin(recorder, folder)

    def __getitem__(self, name: str) -> CheckRecorder:
        return self._recorder
