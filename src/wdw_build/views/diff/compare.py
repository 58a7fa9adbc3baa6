"""Two runs compared id by id. A difference that begins in an earlier stage keeps that stage's reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import msgspec

from wdw_build.core.run.progress import Progress
from wdw_build.core.stage import Stage
from wdw_build.core.store.key_index import key_of
from wdw_build.core.store.output import Output
from wdw_build.views.diff import why
from wdw_build.views.diff.differences import Difference, StageDifference
from wdw_build.views.diff.join import Lines, Place, join
from wdw_build.views.diff.runs import Run

CHANGES = ("added", "removed", "changed", "rejected-otherwise")
_ABSENT = "not there"
_SHOWN = 120


class Comparison:
    """The differences between two runs. ``stages`` is complete once ``groups`` was read to its end."""

    def __init__(self, old: Run, new: Run, stages: Mapping[str, Stage]) -> None:
        self.old, self.new = old, new
        self._stages = stages
        self._lines = Lines()
        self._same = {name for name in stages if _same(old.outputs[name], new.outputs[name])}
        self._causes = {name: why.causes(name, old.outputs[name], new.outputs[name]) for name in stages}
        self._changes: dict[str, Counter[str]] = {name: Counter() for name in stages}
        self._why: dict[str, Counter[str]] = {name: Counter() for name in stages}

    def groups(self, progress: Progress) -> Iterator[list[Difference]]:
        """The differences of one id after the other, each id's in the order of the stages."""
        pairs = [
            {name: run.outputs[name] for name in self._stages if name not in self._same} for run in (self.old, self.new)
        ]
        total = sum(output.manifest.read for side in pairs for output in side.values()) // 2
        with closing(self._lines), progress.bar("compare", total, "records") as bar:
            for key, found in join(pairs[0], pairs[1]):
                bar.advance(len(found))
                if group := self._group(msgspec.json.decode(key), found):
                    yield group

    def _group(self, record_id: str, found: Mapping[str, list[Place | None]]) -> list[Difference]:
        here: dict[str, Difference] = {}
        for name in self._stages:
            before, after = found.get(name, (None, None))
            one = self._difference(name, record_id, before, after, here) if before or after else None
            if one is not None:
                here[name] = one
                self._changes[name][one.change] += 1
                self._why[name].update(one.why)
        return list(here.values())

    def _difference(
        self, name: str, record_id: str, before: Place | None, after: Place | None, here: Mapping[str, Difference]
    ) -> Difference | None:
        key = key_of(record_id)
        lines = [self._lines.read(key, place) if place else b"" for place in (before, after)]
        change = _change(before, after) if lines[0] != lines[1] else ""
        if not change:
            return None
        old, new = (msgspec.json.decode(line) if line else {} for line in lines)
        begins, reasons = self._why_of(name, change, (old, new), here)
        return Difference(
            stage=name,
            id=record_id,
            change=change,
            before=_said(before, old),
            after=_said(after, new),
            fields=why.fields(old, new) if change in ("changed", "rejected-otherwise") else (),
            begins=begins,
            why=reasons,
        )

    def _why_of(
        self, name: str, change: str, pair: tuple[why.Plain, why.Plain], here: Mapping[str, Difference]
    ) -> tuple[str, tuple[str, ...]]:
        """The stage that a difference begins in, and the causes."""
        stage, (old, new) = self._stages[name], pair
        above = next((here[read] for read in stage.reads if read in here and why.is_read_on(here[read])), None)
        if above is not None and (not (old and new) or (change == "changed" and self._passes_on(stage, above))):
            # It was not there to be read, or it was handed on as it was read: no key of this stage has to do with it.
            return above.begins, above.why
        moved = why.moved(old, new)
        words = {*(one.get("reason", "") for one in (old, new)), *(rule for _, rule in moved)}
        own = tuple(cause for cause in self._causes[name] if not why.is_input(name, cause))
        found = why.narrowed(own, stage, words)
        if above is not None:
            return above.begins, tuple(dict.fromkeys((*found, *above.why)))
        if not found and "ingest" not in self._same:
            # Those that one side alone has, or judged otherwise; if none, one that says something else now.
            articles = {article for article, _ in moved or why.articles(old) | why.articles(new)}
            found = why.other_articles(articles, self.old.outputs["ingest"], self.new.outputs["ingest"])
        return name, found or self._causes[name] or (f"{name}: nothing that is recorded",)

    def _passes_on(self, stage: Stage, above: Difference) -> bool:
        """Whether a record of this stage is the one that it read: the stage does nothing but turn some away."""
        same = stage.writes is self._stages[above.stage].writes
        return same and above.change == "changed" and above.stage == stage.reads[0]

    def stages(self) -> list[StageDifference]:
        """Every stage in numbers."""
        return [
            StageDifference(
                stage=name,
                same=name in self._same,
                before=self.old.outputs[name].manifest.written,
                after=self.new.outputs[name].manifest.written,
                changes={change: self._changes[name][change] for change in CHANGES},
                causes=self._causes[name],
                why=dict(sorted(self._why[name].items(), key=lambda pair: (-pair[1], pair[0]))),
            )
            for name in self._stages
        ]


def _same(old: Output, new: Output) -> bool:
    hashes = [
        (output.manifest.rejections_sha256, *(part.sha256 for part in output.manifest.parts)) for output in (old, new)
    ]
    return hashes[0] == hashes[1]


def _change(before: Place | None, after: Place | None) -> str:
    """The kind of change between two outcomes that differ; empty for what was never an output."""
    was, now = (place is not None and place.written for place in (before, after))
    if was and now:
        return "changed"
    if was or now:
        return "removed" if was else "added"
    return "rejected-otherwise" if before and after else ""


def _said(place: Place | None, record: Mapping[str, Any]) -> str:
    """An outcome in words."""
    if place is None:
        return _ABSENT
    if place.written:
        return "written"
    detail = str(record["detail"])
    shown = detail if len(detail) <= _SHOWN else f"{detail[:_SHOWN]}…"
    return f"rejected: {record['reason']}" + (f" ({shown})" if shown else "")
