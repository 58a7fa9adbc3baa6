"""The selection among alternatives compared with the linear program on a sample of the articles.

Our side is ``selection.program.choose`` on all articles. The yardstick is the linear program of HiGHS, on a sample of at most
4,000 articles: whole problems cannot keep more than its optimum. Alternatives are drawn with cues as strong as in news, where
the answer is the first named and the most frequent name of about four passages in five. Each side runs in a process of its
own, so that the peak of its memory is known.

``cd scripts && python -m benchmarks.selection curve [--large]`` prints one line for each number of articles from 1,000 to
100,000, and with ``--large`` for 1,000,000, which takes minutes.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Figure, Goal
from benchmarks.setting import ROOT, Line, Setting
from wdw_build.adapters.pulp_solver import PulpSolver
from wdw_build.selection.offers import Limits, Offers, Terms
from wdw_build.selection.program import choose, excesses, relaxed_number

# The linear program of HiGHS grows faster than the number of its columns.
_SAMPLE = 4000
_SIZES, _LARGE = (1000, 10_000, 100_000), 1_000_000
# The articles are of one year, and a passage is dated within these days of its question, as with the usual windows.
_DAYS, _WINDOW = 365, 3
_CAPS = {"none": Limits(0, 0, 0.0, 0), "usual": Limits(2, 1, 0.02, 10)}


def make_offers(articles: int, per_article: int, seed: int = 1) -> Offers:
    """Alternatives with cues as strong as in news."""
    rng = np.random.default_rng(seed)
    article = np.repeat(np.arange(articles), rng.integers(1, 2 * per_article, articles))
    count = len(article)
    choices = rng.choice(np.arange(2, 6), count, p=[0.2, 0.2, 0.15, 0.45])
    ease = rng.beta(2, 1, articles)[article]

    def places() -> NDArray[np.int8]:
        drawn: NDArray[np.int8] = (rng.random(count) * choices).astype(np.int8)
        drawn[rng.random(count) < ease * 0.85 + 0.1] = 0
        return drawn

    first = places()
    most = np.where(rng.random(count) < 0.7, first, places())
    near = max(10, _WINDOW * articles // _DAYS)
    guesses = [rng.random(count) < base + slope * ease for base, slope in ((0.15, 0.6), (0.1, 0.55))]
    return Offers(
        article=article,
        choices=choices,
        solved=np.stack([first == 0, most == 0, *guesses], axis=1).astype(np.int8),
        ranks=np.stack([first, most], axis=1),
        event=rng.random(count),
        evidence=np.zeros(count),
        draw=rng.random(articles),
        day=np.sort(rng.integers(1, _DAYS + 1, articles)),
        passage=np.clip(article + rng.integers(-near, near + 1, count), 0, articles - 1),
        question=article,
        person=_people(articles, count, rng),
        traits=np.zeros((count, 0), dtype=np.int64),
    )


def _people(articles: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Three answers in ten are among twenty much-named people, the most frequent of whom has 8%."""
    known = 1.0 / np.arange(1, 21)
    person = rng.integers(len(known), len(known) + articles // 2, count)
    often = rng.random(count) < 0.3
    person[often] = rng.choice(len(known), int(often.sum()), p=known / known.sum())
    return person


def terms(caps: str) -> Terms:
    """The strictest bounds."""
    return Terms("chance", by_choices=True, event_weight=0.0, evidence_weight=0.0, limits=_CAPS[caps], apart_from=None)


def run_ours(articles: int, caps: str) -> dict[str, float]:
    """Seconds, CPU seconds, MiB of the whole process, share of articles kept, and by how much the worst row exceeds its slack."""
    offers = make_offers(articles, 6)
    begun, busy = time.perf_counter(), time.process_time()
    chosen = choose(offers, terms(caps), PulpSolver())
    seconds, cpu = time.perf_counter() - begun, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    over = max(excess - slack for excess, slack in excesses(offers, terms(caps), chosen).values())
    kept = float((chosen >= 0).mean())
    alternatives = len(offers.article)
    return {"seconds": seconds, "cpu": cpu, "MiB": peak, "kept": kept, "over": over, "alternatives": alternatives}


def run_bound(articles: int, caps: str) -> dict[str, float]:
    """Seconds and the share of articles that the linear program keeps."""
    offers = make_offers(articles, 6, seed=2)
    begun = time.perf_counter()
    kept = relaxed_number(offers, terms(caps), PulpSolver())
    return {"seconds": time.perf_counter() - begun, "kept": kept / articles}


def _apart(side: str, articles: int, caps: str) -> dict[str, float]:
    """The result of one side in a process of its own."""
    import subprocess

    command = [sys.executable, "-m", "benchmarks.selection", side, str(articles), caps]
    done = subprocess.run(command, cwd=ROOT / "scripts", capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure what is kept as a share of the linear program's bound."""
    articles = setting.articles or (3000 if setting.quick else 100_000)
    figures = []
    for caps in _CAPS:
        bound = _apart("bound", min(articles, _SAMPLE), caps)
        ours = [_apart("ours", articles, caps) for _ in range(setting.rounds)]
        notes = {
            "ours": f"{articles / min(one['seconds'] for one in ours):.0f} articles/s, "
            f"{min(one['cpu'] for one in ours):.3g} s of CPU, "
            f"{max(one['MiB'] for one in ours):.0f} MiB, keeps {ours[0]['kept']:.4f}",
            "yardstick": f"keeps {bound['kept']:.4f} of {min(articles, _SAMPLE)} articles in {bound['seconds']:.3g} s",
            "largest excess over a slack": f"{max(one['over'] for one in ours):.2g}",
        }
        figures.append(
            Figure(
                f"{LINE.name}-caps-{caps}",
                f"kept, times the bound of the linear program; caps: {caps}",
                [one["kept"] / bound["kept"] for one in ours],
                "x",
                Goal("≥", 0.97),
                f"{articles} articles, {ours[0]['alternatives']:.0f} alternatives",
                notes,
            )
        )
    return figures


def print_curve(large: bool) -> None:
    """Print the figures of each number of articles."""
    print("articles  caps   kept/bound  seconds  CPU s  MiB  excess over a slack")
    for articles in (*_SIZES, *([_LARGE] if large else [])):
        for caps in _CAPS:
            bound, ours = _apart("bound", min(articles, _SAMPLE), caps), _apart("ours", articles, caps)
            figures = f"{ours['seconds']:7.1f}  {ours['cpu']:5.1f}  {ours['MiB']:.0f}  {ours['over']:.3f}"
            print(f"{articles:8d}  {caps:5s}  {ours['kept'] / bound['kept']:.4f}  {figures}", flush=True)


LINE = Line("selection", "`selection.program.choose` : the linear program on a sample", measure, rounds=2, cores=2)

if __name__ == "__main__":
    if sys.argv[1] == "curve":
        print_curve("--large" in sys.argv)
    else:
        side, size, caps = sys.argv[1:]
        print(json.dumps((run_ours if side == "ours" else run_bound)(int(size), caps)))
