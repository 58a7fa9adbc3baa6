"""DATASHEET.md: how the dataset was made, what is in it, what it is for, and what it is not."""

from __future__ import annotations

from wdw_build.core.config.settings import Config, ReleaseConfig, SplitConfig
from wdw_build.core.store.output import Output
from wdw_build.views.card import findings, origin
from wdw_build.views.card.audit_results import Audit
from wdw_build.views.card.markdown import bullets, fenced, plain
from wdw_build.views.summary import Summary

_NOT_GIVEN = "not given"
_USES = (
    "Training and measuring systems that answer a question about persons from one passage of news: measure on validation while "
    "you build, on test once. Report accuracy beside chance and the baselines of Table 2.",
    "Comparing how methods take to training data with more shallow cues (train.relaxed) and with fewer (train).",
    "Not for finding out about the people named in it: articles may be wrong or outdated, and a passage was chosen because it "
    "shares words with a question, not because it is true.",
    "Not as a measure of language understanding at large: one genre, one kind of answer, one language.",
)


def datasheet(found: Audit, summary: Summary, config: Config, outputs: dict[str, Output]) -> str:
    """The whole datasheet, in Markdown."""
    release = config.release
    sections = {
        "Release": _release(release),
        "How it was made": origin.how_made(config, summary, outputs),
        "From articles to problems": origin.funnel(summary),
        "Baselines (Table 2)": origin.table2(summary),
        "Splits (Table 3)": origin.table3(summary),
        **({"Event scores": origin.event_scores(summary)} if summary.event_scores else {}),
        "Files": origin.files(outputs["export"]),
        "What stands out": findings.striking(found, config.split),
        "Answers: position and frequency": findings.skews(found),
        "Names": findings.names(found),
        "Days and sources": findings.calendar(found),
        "Overlap between splits": findings.overlap(found, config.split),
        "Intended use": bullets(_USES),
        "Limits": bullets(_limits(config.split)),
        "Licences": _licences(release),
    }
    parts = [f"# Datasheet: {plain(release.title or summary.run)}", _opening(found, summary)]
    parts += [f"## {heading}\n\n{text}" for heading, text in sections.items()]
    return "\n\n".join(parts) + "\n"


def _opening(found: Audit, summary: Summary) -> str:
    sizes = ", ".join(f"{name} {split.problems:,}" for name, split in found.splits.items())
    days = [day for one in found.splits.values() for day in (one.calendar.first_day, one.calendar.last_day) if day]
    return (
        f"Questions about a deleted person, with a passage and the persons in it as choices, made from "
        f"{summary.funnel['articles']:,} news articles. Problems: {sizes} (train.relaxed holds train). Questions are of "
        f"{min(days)} to {max(days)}."
    )


def _given(text: str) -> str:
    return plain(text) if text else _NOT_GIVEN


def _release(release: ReleaseConfig) -> str:
    lines = [f"{name}: {_given(getattr(release, name))}" for name in ("title", "licence", "contact")]
    if not release.citation:
        return bullets([*lines, f"citation: {_NOT_GIVEN}"])
    return bullets([*lines, "citation:"]) + "\n\n" + fenced(release.citation)


def _limits(split: SplitConfig) -> list[str]:
    events = "was kept out of training" if split.by_event else "was not kept out of training"
    return [
        "Names, sentences and phrases were found by models, which err: some blanks cut a phrase, some choices are no persons, "
        "and two choices may be one person. `wdw-build quality` draws a sheet for readers, to measure how many problems can be "
        "answered.",
        "Suppression holds four baselines to their bounds, on the strict and relaxed sets as a whole. It says nothing of other "
        "cues, nor of one split alone: see the tables above.",
        "A passage is about the same event as its question by its words, date and names alone.",
        f"Validation and test are later than training. What tells of the same events {events} (`split.by_event`); the gap "
        f"before them is {split.gap_days} days (`split.gap_days`), by the date of the question. Passages may reach over it.",
        "A system that was trained on news of the same time may know the answers without the passage.",
        "The people are those of the articles, under their own names. Nothing was made anonymous, and who is written about, "
        "and how, is the sources' choice.",
    ]


def _licences(release: ReleaseConfig) -> str:
    return bullets(
        [
            f"the dataset: {_given(release.licence)}",
            f"the articles that it quotes: {_given(release.source_licence)}",
            "Passages and questions are text of the sources: who has no right to these has none to their text in the dataset.",
        ]
    )
