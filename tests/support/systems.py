"""Small systems for the tests of ``bench``: one that learns nothing, one that learns, one that stops, one that errs."""

from itertools import chain
from typing import Annotated, ClassVar

from msgspec import Meta

from support.entry_points import provide
from wdw_build.core.section import Section
from wdw_build.errors import MissingResourceError
from wdw_build.reading import Prediction, SystemEntry, Untrained


class FirstChoice(Untrained):
    """Chooses the first choice."""

    def choose(self, problems):
        for problem in problems:
            yield Prediction(tuple(float(-at) for at in range(len(problem.choices))))


class CountingSettings(Section, frozen=True):
    """Settings of ``Counting``."""

    bonus: Annotated[int, Meta(ge=0)] = 0
    epochs: int = 0


class Counting:
    """Prefers names that were answers in training, and breaks ties by its seed. ``fits`` records every training."""

    fits: ClassVar = []

    def __init__(self, settings):
        self.settings, self.counts, self.seed = settings, {}, 0

    @property
    def parameters(self):
        return len(self.counts)

    def fit(self, training, validation, workspace):
        Counting.fits.append((workspace.seed, len(training), len(validation)))
        seen = {labelled.id: labelled.problem.choices[labelled.answer].name for labelled in training}
        for name in seen.values():
            self.counts[name] = self.counts.get(name, 0) + 1
        self.seed = workspace.seed

    def choose(self, problems):
        for problem in problems:
            order = [(at + self.seed) % len(problem.choices) for at in range(len(problem.choices))]
            scores = [self.counts.get(choice.name, 0) for choice in problem.choices]
            yield Prediction(tuple(float(score) + 0.1 * at for score, at in zip(scores, order, strict=True)))


class Given(Untrained):
    """Gives each problem the predictions of a function, which may be none."""

    def __init__(self, predictions):
        self._predictions = predictions

    def choose(self, problems):
        return chain.from_iterable(map(self._predictions, problems))


def last_extracted(problem):
    """Extracts the full name of the last choice."""
    yield Prediction((0.0,) * (len(problem.choices) - 1) + (1.0,), spans=(problem.choices[-1].name,))


def one_too_few(problem):
    """One score too few."""
    yield Prediction((0.0,) * (len(problem.choices) - 1))


def by_zero(problem):
    raise ZeroDivisionError("by zero")


def lacking(settings, workspace):
    raise MissingResourceError("no model of the lacking system", hint="install it")


def entry(name, make, **fields):
    """An entry with what tests do not look at."""
    return SystemEntry(
        **{"name": name, "title": name.title(), "source": "tests", "group": "today", "make": make} | fields
    )


FIRST = entry("first", lambda settings: FirstChoice(), group="probe")
COUNTING = entry("counting", Counting, settings=CountingSettings, trained=True, seeded=True, paper=(0.5, 0.6))
EXTRACTING = entry("extracting", lambda settings: Given(last_extracted))
TOO_SHORT = entry("too-short", lambda settings: Given(one_too_few))
SILENT = entry("silent", lambda settings: Given(lambda problem: ()))
FAILING = entry("failing", lambda settings: Given(by_zero))
LACKING = entry("lacking", lambda settings: FirstChoice(), backends=lacking, configured=lambda settings: False)
NO_ENTRY = "not an entry"

SYSTEMS = {
    name: f"support.systems:{name.upper().replace('-', '_')}"
    for name in "first counting extracting too-short silent failing lacking no-entry".split()
}


def use_only(monkeypatch, names=tuple(SYSTEMS)):
    """Let these systems be the only ones, whatever packages are installed."""
    from wdw_build.pipeline import registry

    provide(monkeypatch, "wdw_build.systems")
    monkeypatch.setattr(registry, "SYSTEMS", {name: SYSTEMS.get(name, registry.SYSTEMS.get(name)) for name in names})
