"""Audits the artefacts of a run: files, ids, names and sentences, bounds and caps of the problems, splits, and exports.

The audit reads what the stages stored. Property tests prove the rules for names, blanks, choices and passages. Of these, the
audit applies only those whose faults a reader of the dataset would notice first.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from wdw_build.errors import WdwError
from wdw_build.pipeline.config.settings import Config
from wdw_build.verify import exports, selection, stages, texts
from wdw_build.verify.audited_run import AuditedRun, Check, Recorder

_RunCheck = Callable[[AuditedRun, Recorder], None]
_CHECKS: dict[str, _RunCheck] = {
    check.__name__.replace("_", "-"): check
    for check in (*stages.CHECKS, *texts.CHECKS, *selection.CHECKS, *exports.CHECKS)
}
PROMISES = {name: " ".join((check.__doc__ or "").split()) for name, check in _CHECKS.items()}
"""The promises of the dataset, one sentence for each check, by the name of the check."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The results of all checks, in the order of ``PROMISES``."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every promise holds."""
        return not any(check.failures for check in self.checks)


def verify(
    run_folder: Path,
    config: Config,
    on_progress: Callable[[str], None] = lambda message: None,
) -> Report:
    """Check every promise on the outputs of a run; a check whose files are damaged fails.

    Raises ``UsageError`` if an output is missing, and ``CheckError`` if a manifest cannot be decoded.
    """
    run = AuditedRun(run_folder, config)
    results = []
    for name, check in _CHECKS.items():
        on_progress(name)
        recorder = Recorder()
        try:
            check(run, recorder)
        except (WdwError, OSError, msgspec.MsgspecError, UnicodeDecodeError, LookupError, TypeError) as error:
            recorder.fail("cannot be checked", f"{type(error).__name__}: {error}")
        results.append(Check(name, PROMISES[name], recorder.checked, recorder.failures, tuple(recorder.examples)))
    return Report(checks=tuple(results))
