"""suppress: selects problems so that no shallow baseline does better than its bound (paper, section 3).

Each article offers alternatives, and the program of ``selection.program`` selects at most one of them. The strict level is
solved first; the relaxed level adds problems to it. The paper's program is the special case of one alternative, pooled
bounds and no caps. The paper keeps a share of each cell at random; this stage selects whole problems under the same bounds.

``costs.json`` has a ``SuppressionCost`` for each key with another value that would keep more strict problems, and
``traits.json`` a ``TraitShare`` for each value of each trait.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from wdw_build.core.dataset_size import suppression_note
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.rule import Rule
from wdw_build.core.stage import SEED, Context, Stage, by_seed
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.ports import SOLVER
from wdw_build.records import (
    AdversaryPredictions,
    Record,
    Rejection,
    SuppressionCost,
    SuppressionDecision,
    TraitShare,
    largest_cost,
)
from wdw_build.selection.settings import AdversaryConfig, SplitConfig, SuppressConfig

COSTS, TRAITS = "costs.json", "traits.json"
_EPSILON = 1e-6


class Cell(NamedTuple):
    """Which systems solve a problem (1, else 0), and its number of choices."""

    pattern: str
    choices: int


def cell_of(predictions: AdversaryPredictions) -> Cell:
    """The cell of a problem: which baselines and adversaries solved it, and its number of choices."""
    digits = (str(int(guess == predictions.answer)) for guess in predictions.guesses.values())
    return Cell("".join(digits), predictions.choices)


def _check_relaxed(config: SuppressConfig, *, is_met: bool) -> None:
    """Raise ``ConfigError`` unless the strict problems, which are part of the relaxed ones, meet the relaxed bound.

    With pooled bounds, chance may be above a number: it depends on the numbers of choices of the selected problems. With
    bounds by number of choices, a number below chance means chance.
    """
    if not is_met:
        raise ConfigError(
            f"suppress.relaxed: a baseline exceeds {config.relaxed} on the strict problems already, where its bound is "
            f"{config.strict}",
            hint="set suppress.relaxed to chance, or to 0.5 or more, which is chance for two choices",
        )


class _Selection(NamedTuple):
    """What both levels select: id -> number of the alternative.

    ``over_cap``: id -> the cap because of which an article has no selected problem. ``costs``: see ``selection.levels``.
    ``traits``: see ``selection.enrichment``.
    """

    strict: Mapping[str, int]
    relaxed: Mapping[str, int]
    over_cap: Mapping[str, str]
    costs: list[SuppressionCost]
    traits: tuple[TraitShare, ...]


def _selected(config: SuppressConfig, context: Context) -> _Selection:
    """Select among all alternatives. Raises ``ConfigError`` if the strict problems exceed the relaxed bound."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.selection.constraints import cap_reasons
    from wdw_build.selection.enrichment import trait_shares
    from wdw_build.selection.levels import choose_strict, costs
    from wdw_build.selection.offers import read_offers, terms_of
    from wdw_build.selection.program import choose, excesses

    find = functools.partial(context.find, "dedup")
    offered = read_offers(find, context.read("adversary"), context.seed)
    offered.add_traits(find, functools.partial(context.find, "ingest"))
    solver, split = context.port(SOLVER), context.shared.get("split")
    strict, terms = choose_strict(offered.offers, config, split, solver)
    relaxed_terms = terms_of(config, config.relaxed, terms.apart_from)
    is_met = all(
        excess <= slack + _EPSILON for excess, slack in excesses(offered.offers, relaxed_terms, strict).values()
    )
    _check_relaxed(config, is_met=is_met)
    relaxed = choose(offered.offers, relaxed_terms, solver, required=strict)
    reasons = cap_reasons(offered.offers, relaxed_terms, relaxed)
    return _Selection(
        offered.chosen(strict),
        offered.chosen(relaxed),
        {offered.ids[article]: reason for article, reason in reasons.items()},
        costs(offered, config, _adversaries(context), terms, int((strict >= 0).sum()), solver),
        trait_shares(offered, strict),
    )


def _adversaries(context: Context) -> AdversaryConfig:
    """The settings of the adversaries whose predictions are read; the defaults if another package made the predictions."""
    try:
        return msgspec.convert(context.inputs["adversary"].manifest.ingredients.config, AdversaryConfig)
    except msgspec.ValidationError:
        return AdversaryConfig()


def run(
    inputs: Iterator[AdversaryPredictions], config: SuppressConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Select at most one alternative per article, so that no baseline exceeds its bound.

    Writes ``costs.json`` and ``traits.json``.

    Raises ``CorpusError`` if there is no problem to select from, or if fewer than ``min_kept`` strict problems are selected,
    and ``ConfigError`` if the strict problems exceed the relaxed bound.
    """
    total = context.inputs["adversary"].manifest.written
    if not total:
        raise CorpusError(
            "no article gave a problem, so there is no dataset",
            hint="wdw-build status and wdw-build inspect choices --rejected show why; use a larger corpus, or articles of the "
            "same days from several sources",
        )
    selection = _selected(config, context)
    if len(selection.strict) < config.min_kept:
        raise CorpusError(
            f"suppression keeps {len(selection.strict)} of {total} problems, fewer than suppress.min_kept = {config.min_kept}",
            hint="use a larger corpus, or raise suppress.strict (0.5, say), or lower suppress.min_kept",
        )
    (context.folder / COSTS).write_bytes(msgspec.json.encode(selection.costs))
    (context.folder / TRAITS).write_bytes(msgspec.json.encode(selection.traits))
    if note := suppression_note(len(selection.strict), total, largest_cost(selection.costs)):
        context.progress.say(f"suppress: {note}")
    for predictions in inputs:
        number = selection.relaxed.get(predictions.id)
        if number is None:
            yield _rejection(predictions, selection.over_cap)
            continue
        selected = predictions.of(number)
        cell = cell_of(selected)
        yield SuppressionDecision(
            id=predictions.id,
            date=predictions.date,
            choices=selected.choices,
            cell=cell.pattern,
            draw=uniform_hash(context.seed, "suppress", predictions.id),
            strict=predictions.id in selection.strict,
            alternative=number,
            alternatives=1 + len(predictions.others),
        )


def _rejection(predictions: AdversaryPredictions, over_cap: Mapping[str, str]) -> Rejection:
    if predictions.id in over_cap:
        return Rejection(id=predictions.id, reason=over_cap[predictions.id])
    cells = ", ".join(
        f"{cell.pattern} with {cell.choices} choices" for cell in dict.fromkeys(map(cell_of, predictions.each()))
    )
    return Rejection(id=predictions.id, reason="suppressed", detail=cells)


def held_out_by(config: SuppressConfig) -> tuple[str, ...]:
    """The keys of ``split`` that decide which problems may share an article."""
    return SplitConfig.held_out_keys if config.shared_articles == "within-split" else ()


STAGE = Stage(
    name="suppress",
    version=13,
    reads=("adversary", "dedup", "ingest"),
    writes=SuppressionDecision,
    config=SuppressConfig,
    run=run,
    ports=(SOLVER,),
    shares={SEED: by_seed, "split": held_out_by},
    block=0,
    reasons={
        "suppressed": Rule(
            "no problem of this article fits within the bounds: baselines solve too many similar problems",
            ("bounds", "strict", "relaxed", "max_enrichment"),
        ),
        "passage-cap": Rule(
            "selected problems with the same passage already reach suppress.max_per_passage",
            ("max_per_passage",),
        ),
        "event-cap": Rule(
            "selected problems on the same event with the same answer already reach suppress.max_per_event",
            ("max_per_event",),
        ),
        "answer-cap": Rule(
            "selected problems with the same answer already reach suppress.max_per_answer",
            ("max_per_answer",),
        ),
        "shared-article": Rule(
            "a selected problem has this article as its passage, or has its question in this problem's passage",
            ("shared_articles",),
        ),
    },
)
