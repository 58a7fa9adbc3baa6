"""DATASHEET.md: how the dataset was made, its contents, and its intended and unintended uses."""

from __future__ import annotations

from wdw_build.core.config.settings import Config, ReleaseConfig, SplitConfig
from wdw_build.dataset import Run
from wdw_build.views.card import findings, origin, systems
from wdw_build.views.card.audit_results import Audit
from wdw_build.views.card.markdown import bullets, fenced, plain
from wdw_build.views.summary import Summary

_NOT_GIVEN = "not given"
_USES = (
    "Training and measuring systems that answer a question about persons from one passage of news: measure on validation while "
    "you build, on test once. Report accuracy beside chance and the baselines of Table 2.",
    "Comparing methods on training data with more shallow cues (train.relaxed) and with fewer (train).",
    "Not for learning facts about the people in it: articles may be wrong or outdated, and a passage was chosen because it "
    "shares words with a question, not because it is true.",
    "Not as a measure of language understanding at large: one genre, one kind of answer, one language.",
)


def datasheet(audit: Audit, summary: Summary, config: Config, run: Run) -> str:
    """The whole datasheet, in Markdown."""
    release = config.release
    sections = {
        "Release": _release(release),
        "How it was made": origin.how_made(config, summary, run),
        "From articles to problems": origin.funnel(summary),
        "Baselines (Table 2)": origin.table2(summary),
        "Splits (Table 3)": origin.table3(summary),
        **({"Event scores": origin.event_scores(summary)} if summary.event_scores else {}),
        "Systems (Table 4)": systems.section(audit.systems, audit.people),
        **({"Human performance": systems.human_performance(audit.people)} if audit.people else {}),
        "Files": origin.files(run),
        "What stands out": findings.striking(audit, config.split),
        "Answers: position and frequency": findings.skews(audit),
        "Names": findings.names(audit),
        "Days and sources": findings.calendar(audit),
        "Overlap between splits": findings.overlap(audit, config.split),
        "Leaks between problems": findings.leaks(audit, config.split),
        "Intended use": bullets(_USES),
        "Limits": bullets(_limits(config.split)),
        "Licences": _licences(release),
    }
    parts = [f"# Datasheet: {plain(release.title or summary.run)}", _opening(audit, summary)]
    parts += [f"## {heading}\n\n{text}" for heading, text in sections.items()]
    return "\n\n".join(parts) + "\n"


def _opening(audit: Audit, summary: Summary) -> str:
    sizes = ", ".join(f"{name} {split.problems:,}" for name, split in audit.splits.items())
    calendars = [split.calendar for split in audit.splits.values()]
    days = [day for calendar in calendars for day in (calendar.first_day, calendar.last_day) if day]
    return (
        f"Questions about a deleted person, with a passage and the persons in it as choices, made from "
        f"{summary.funnel['articles']:,} news articles. Problems: {sizes} (train.relaxed includes train). Questions are dated "
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
    events = "were removed" if split.by_event else "were not removed"
    return [
        "Names, sentences and phrases were found by models, which make errors: some blanks cut a phrase, some choices are not "
        "persons, and two choices may be the same person. `wdw-build annotate` lets people answer problems, to measure how many "
        "problems can be answered.",
        "Suppression bounds the accuracy of four baselines on the strict set and on the relaxed set as a whole. It does not "
        "bound other cues, or a single split: see the tables above.",
        "Only words, date and names say that a passage is about the same event as its question.",
        f"Validation and test are later than training. Training problems about the same events {events} (`split.by_event`); "
        f"the gap between them is {split.gap_days} days (`split.gap_days`) by the date of the question. Passages may be dated "
        "within the gap or beyond it.",
        "A system that was trained on news of the same time may know the answers without the passage.",
        "The people are those of the articles, under their own names. Nothing was made anonymous; the sources decided whom to "
        "write about and how.",
    ]


def _licences(release: ReleaseConfig) -> str:
    return bullets(
        [
            f"the dataset: {_given(release.licence)}",
            f"the articles that it quotes: {_given(release.source_licence)}",
            "Passages and questions are text of the sources: using them needs the same rights as using the articles.",
        ]
    )
