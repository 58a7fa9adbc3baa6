"""Whether the answers of a sample of problems need coreference, as rules estimate it (after Dasigi et al. 2019, Table 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.api import Progress, Run, SentenceSplitter
from wdw_build.records import Problem
from wdw_study.figures import Agreement, Share, agreement, share
from wdw_study.judging.draw import DrawOptions, draw_sheet
from wdw_study.judging.phenomena import Cosines, Phenomenon, gender_of, links_of, near_sentences
from wdw_study.judging.sheets import Judged

# The name of the rules among those of people.
_ESTIMATE = "(estimate)"
_LINKS = frozenset({"pronominal", "nominal", "multiple"})
MEANINGS: dict[Phenomenon, str] = {
    "named": "the decisive sentence names the person",
    "pronominal": "a pronoun of the decisive sentence can be the person",
    "nominal": "a description in the decisive sentence can be the person",
    "multiple": "a pronoun and a description in the decisive sentence can be the person",
    "other": "the rules do not decide",
}


class Estimated(msgspec.Struct, frozen=True, kw_only=True):
    """The estimate for one problem."""

    id: str
    """Id of the problem."""
    phenomenon: Phenomenon
    """What the answer needs."""
    reason: str
    """The pronoun or the description, or why the rules do not decide; empty for `named`."""
    question: str
    """The sentence with `XXX` for the deleted phrase."""
    answer: str
    """Name of the answer."""
    sentence: str
    """The decisive sentence; empty if the passage has none."""
    overlap: float
    """Weighted share of the question's words in the decisive sentence."""
    cosine: float
    """Cosine of the sentence vectors of question and decisive sentence."""


class PhenomenaEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """The estimates for a sample of problems."""

    run: str
    """Name of the run."""
    problems: int
    """Number of problems."""
    seed: int
    """Seed of the draw."""
    source: str
    """Split that the problems were drawn from; empty: the dataset; `before`: also what suppression dropped."""
    shares: dict[str, Share]
    """Phenomenon -> its share of the problems with 95% interval."""
    estimates: tuple[Estimated, ...]
    """Every problem, in the order of the draw."""


class PhenomenaAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on one sheet. The label of a problem is whether `pronominal`, `nominal` or `multiple` was given."""

    sheet: str
    """Name of the sheet."""
    with_estimate: dict[str, Agreement]
    """Person -> agreement with the estimate; problems on which the rules do not decide are left out."""
    people: Agreement
    """The people with each other."""


class Readers(NamedTuple):
    """What splits and compares sentences."""

    splitter: SentenceSplitter
    cosines: Cosines


def estimate_phenomena(run: Run, options: DrawOptions, readers: Readers, progress: Progress) -> PhenomenaEstimate:
    """Estimate the phenomenon of each problem that a sheet of these options has.

    Raises ``UsageError`` if there are none.
    """
    _, drawn = draw_sheet(run, options)
    estimates = estimate_problems(run, [line.id for line in drawn], readers, progress)
    counts = Counter(estimate.phenomenon for estimate in estimates)
    return PhenomenaEstimate(
        run=run.name,
        problems=len(estimates),
        seed=options.seed,
        source=options.source,
        shares={name: share(counts[name], len(estimates)) for name in MEANINGS},
        estimates=tuple(estimates),
    )


def estimate_problems(run: Run, ids: Sequence[str], readers: Readers, progress: Progress) -> list[Estimated]:
    """The estimate for each problem that the run still has."""
    estimates = []
    with progress.bar("phenomena", len(ids), "problems") as bar:
        for record_id in ids:
            joined = run.problem(record_id)
            if joined is not None:
                estimates.append(estimated(joined.problem, readers))
            bar.advance()
    return estimates


def estimated(problem: Problem, readers: Readers) -> Estimated:
    """The estimate for one problem."""
    answer = problem.choices[problem.answer]
    starts = [mention.start for choice in problem.choices for mention in choice.mentions]
    gender = gender_of(problem.passage.text, answer.mentions, starts)
    sentences = readers.splitter.sentences(problem.passage.text)
    links = links_of(problem, near_sentences(problem, sentences, readers.cosines), gender)
    decisive = links.sentence
    return Estimated(
        id=problem.id,
        phenomenon=links.phenomenon,
        reason=links.reason,
        question=problem.question.blanked,
        answer=answer.name,
        sentence=decisive.text if decisive else "",
        overlap=round(decisive.overlap, 4) if decisive else 0.0,
        cosine=round(decisive.cosine, 4) if decisive else 0.0,
    )


# ---- agreement with people -------------------------------------------------------------------------------------------


def agreement_on(judged: Judged, estimates: Iterable[Estimated]) -> PhenomenaAgreement:
    """Compare the estimates of a sheet's problems with what people labelled."""
    by_problem = {estimate.id: estimate.phenomenon for estimate in estimates}
    decided = {name: phenomenon in _LINKS for name, phenomenon in by_problem.items() if phenomenon != "other"}
    people = {
        person: {
            name: not _LINKS.isdisjoint(judgement.phenomena)
            for name, judgement in judgements.items()
            if name in by_problem
        }
        for person, judgements in judged.answered.items()
    }
    return PhenomenaAgreement(
        sheet=judged.sheet.name,
        with_estimate={person: agreement({person: labels, _ESTIMATE: decided}) for person, labels in people.items()},
        people=agreement(people),
    )
