"""Prints the estimate of ``--dry-run``."""

from __future__ import annotations

from wdw_build.cli.render import table
from wdw_build.estimate import Estimate, EstimatedStage

# With a smaller share of a core, other programs slowed the trial.
_BUSY = 0.7


def clock(seconds: float) -> str:
    """Seconds in words, with no more digits than an estimate justifies."""
    if seconds < 1:
        return "< 1 s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 1200:
        tens = round(seconds / 10)
        return f"{tens // 6} min" + (f" {tens % 6 * 10} s" if tens % 6 else "")
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86_400:.1f} days"


def _number(row: EstimatedStage, value: int) -> str:
    return f"{value:,}" if row.basis == "counted" else f"~{value:,}"


def _cells(row: EstimatedStage) -> list[str]:
    numbers = [_number(row, row.read), _number(row, row.written)]
    if row.up_to_date:
        return [row.stage, *numbers, "up to date", ""]
    return [row.stage, *numbers, clock(row.seconds), f"{row.memory_mb:,}"]


def shown(found: Estimate) -> str:
    """The estimate as text."""
    parts = [_corpus(found)]
    parts.append(table([["Stage", "records in", "out", "time", "MB"], *map(_cells, found.rows)]))
    cores = f"{found.cores} core{'s' if found.cores != 1 else ''}"
    workers = f"{found.workers} worker{'s' if found.workers != 1 else ''}"
    parts.append(f"total: about {clock(found.total_seconds)} with {workers} on {cores}, models on {found.device}")
    if found.core_share < _BUSY:
        undisturbed = clock(found.total_seconds * found.core_share)
        parts[-1] += f"\nthe trial got {found.core_share:.0%} of a core: without other programs perhaps {undisturbed}"
    parts.append(_changes(found))
    return "\n\n".join(parts)


def _corpus(found: Estimate) -> str:
    corpus = found.corpus
    about = "" if corpus.basis == "counted" else "about "
    how = "counted" if corpus.basis == "counted" else "extrapolated"
    part = bool(corpus.files) and corpus.share_read < 1
    read = f" from {corpus.share_read:.0%} of the bytes, {corpus.files_read} of {corpus.files} files" if part else ""
    words = f", about {corpus.tokens:,} words" if corpus.articles_tried else ""
    tried = (
        f"; {corpus.articles_tried:,} articles tried in {found.calibration_seconds:.0f} s"
        if corpus.articles_tried
        else ""
    )
    return f"Estimate: {about}{corpus.articles:,} articles{words} ({how}{read}){tried}"


def _changes(found: Estimate) -> str:
    rows = [[f"with {change.what}", clock(change.seconds)] for change in found.changes]
    lines = ["Other machines", table(rows)]
    if found.device == "cpu":
        lines.append(
            f"a GPU would take over at most {clock(found.model_seconds)}, the work of the models; its speed was not tried"
        )
    lines.append(
        "~: extrapolated or assumed; MB: memory of models and libraries, without memory that grows with the corpus"
    )
    return "\n".join(lines)
