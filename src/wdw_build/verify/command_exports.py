"""What the command ``export`` wrote into the run's folder.

``<format>.made-from.json`` beside each format has the settings, and the hashes of the outputs that the command read.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from wdw_build.core.config.settings import ExportConfig
from wdw_build.errors import CheckError, UsageError
from wdw_build.verify.checked_run import CheckedRun
from wdw_build.verify.export_checks import export_card, export_files, export_jsonl
from wdw_build.verify.format_checks import export_spans, export_xml
from wdw_build.verify.name_checks import names_left, renamed_persons, renamed_texts
from wdw_build.verify.report import Recorder
from wdw_build.verify.run_files import Ingredients

FOLDERS = ("exports", "exports-codes", "exports-surrogate")
_CHECKS = (
    *(export_files, export_jsonl, export_card, export_xml, export_spans),
    *(renamed_texts, renamed_persons, names_left),
)


def command_exports(run: CheckedRun, recorder: Recorder) -> None:
    """What the command export wrote into the run's folder was made from this run, and keeps the promises above."""
    for folder in FOLDERS:
        for path in sorted((run.files.folder / folder).glob("*")):
            # The command writes into a hidden folder first.
            if path.is_dir() and not path.name.startswith("."):
                recorder.count()
                place = f"{folder}/{path.name}"
                try:
                    _check_format(run, path, _RecorderWithin(recorder, place))
                except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
                    recorder.fail(
                        place, f"has no readable {path.name}.made-from.json ({error}); wdw-build export writes both"
                    )
                except (CheckError, UsageError) as error:
                    recorder.fail(place, error.message)


def _check_format(run: CheckedRun, path: Path, recorder: _RecorderWithin) -> None:
    made_from = msgspec.json.decode(path.with_name(f"{path.name}.made-from.json").read_bytes(), type=Ingredients)
    settings = msgspec.convert(made_from.config, ExportConfig)
    for source, content in made_from.inputs.items():
        if content != run.files.content(source):
            raise CheckError(
                f"was made from another output of {source} than this run's; wdw-build export {path.name} writes it again"
            )
    with_export = run.with_export(path.parent.name, settings, made_from.seed)
    for check in _CHECKS:
        check(with_export, recorder)


class _RecorderWithin(Recorder):
    """Records the failures of other checks under one check, with the folder in which they are."""

    def __init__(self, recorder: Recorder, folder: str) -> None:
        self._recorder, self._folder = recorder, folder

    def count(self, count: int = 1) -> None:
        self._recorder.count(count)

    def fail(self, place: str, fault: str) -> None:
        self._recorder.fail(f"{self._folder}: {place}", fault)
