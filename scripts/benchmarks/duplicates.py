"""Near-duplicate removal compared with comparing all pairs and with two libraries; and its growth with the input.

The questions are synthetic: words drawn by Zipf's law from a large vocabulary, with near-copies of earlier questions. All
sides get the same questions in the same order. Comparing all pairs (sets of numbered words, by the rule of
docs/reference/algorithm.md) gives the correct answer. The libraries, if installed, use another measure, the Jaccard coefficient:
MinHash (datasketch) estimates it, and an exact join (SetSimilaritySearch) computes it.
"""

from __future__ import annotations

import datetime as dt
import functools
import importlib.util
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate

from benchmarks.measure import Figure, Goal, growth, seconds, speeds, times_faster
from benchmarks.setting import Line, Setting
from wdw_build.core.config.settings import DedupConfig
from wdw_build.records import Mention, Passage, Problem, Question
from wdw_build.similarity.bags import Bags, Vocabulary
from wdw_build.similarity.joins import greedy, joined, partitions, similar_pairs
from wdw_build.similarity.overlaps import PostingBlock, by_rarity, sort
from wdw_build.text.tokens import words

_TYPES = 200_000
_COPIES = 0.08
_DAY = dt.date(2000, 1, 1)
_PERMUTATIONS = 128


def synthetic(count: int, seed: int = 1) -> list[Problem]:
    """Problems with questions of 12 to 45 words; a share ``_COPIES`` of them repeats earlier ones with few changed words."""
    chance = random.Random(seed)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(_TYPES)))
    drawn: list[list[int]] = []
    for _ in range(count):
        if drawn and chance.random() < _COPIES:
            bag = list(chance.choice(drawn))
            for at in chance.sample(range(len(bag)), chance.randint(0, len(bag) // 3)):
                bag[at] = chance.choices(range(_TYPES), cum_weights=weights)[0]
        else:
            bag = chance.choices(range(_TYPES), cum_weights=weights, k=chance.randint(12, 45))
        drawn.append(bag)
    return [_problem(number, " ".join(f"w{word}" for word in bag)) for number, bag in enumerate(drawn)]


def _problem(number: int, sentence: str) -> Problem:
    name = Mention(start=0, end=1, text=sentence[:1])
    question = Question(
        id=f"q{number:07d}",
        date=_DAY + dt.timedelta(days=number // 50),
        source="",
        sentence=sentence,
        tokens=(),
        blank_tokens=(0, 1),
        blank=name,
        name=name,
        others=(),
        tree="",
    )
    passage = Passage(article="", date=_DAY, source="", title="", text="", tokens=0)
    return Problem(id=question.id, question=question, passage=passage, choices=(), answer=0, window=1, score=0.0)


def exact(problems: list[Problem]) -> set[str]:
    """The ids that the join of the stage ``dedup`` drops; problems are in memory, so that reading is not measured."""
    bags = Bags(Vocabulary())
    for problem in problems:
        bags.add(words(problem.question.sentence))
    ordered = sort(bags, by_rarity(bags))
    parts = partitions(len(bags))
    found = [similar_pairs(ordered, DedupConfig().threshold, PostingBlock(number, parts)) for number in range(parts)]
    order = sorted(range(len(problems)), key=lambda number: (problems[number].date, problems[number].id))
    return {problems[number].id for number in greedy(joined(found), order)}


def _numbered(shown: Sequence[str]) -> list[tuple[str, int]]:
    """A bag of words as a set: each word with the number of its occurrence."""
    seen: Counter[str] = Counter()
    found = []
    for word in shown:
        seen[word] += 1
        found.append((word, seen[word]))
    return found


def _bags(problems: list[Problem]) -> list[tuple[str, frozenset[tuple[str, int]]]]:
    ordered = sorted(problems, key=lambda one: (one.date, one.id))
    return [(one.id, frozenset(_numbered(words(one.question.sentence)))) for one in ordered]


def brute_force(problems: list[Problem]) -> set[str]:
    """The ids to drop, by comparing each question with all kept ones."""
    threshold = DedupConfig().threshold
    kept: list[frozenset[tuple[str, int]]] = []
    dropped = set()
    for name, bag in _bags(problems):
        if any(len(bag & other) >= threshold * min(len(bag), len(other)) - 1e-9 for other in kept):
            dropped.add(name)
        else:
            kept.append(bag)
    return dropped


def minhash(problems: list[Problem]) -> set[str]:
    """The ids that locality-sensitive hashing drops, with the threshold as a Jaccard coefficient."""
    from datasketch import MinHash, MinHashLSH

    table = MinHashLSH(threshold=DedupConfig().threshold, num_perm=_PERMUTATIONS)
    dropped = set()
    for name, bag in _bags(problems):
        sketch = MinHash(num_perm=_PERMUTATIONS)
        sketch.update_batch([f"{word} {number}".encode() for word, number in bag])
        if table.query(sketch):
            dropped.add(name)
        else:
            table.insert(name, sketch)
    return dropped


def all_pairs(problems: list[Problem]) -> set[str]:
    """The later ids of all pairs that an exact join finds, with the threshold as a Jaccard coefficient."""
    from SetSimilaritySearch import all_pairs as join

    named = _bags(problems)
    pairs = join(
        [bag for _, bag in named], similarity_func_name="jaccard", similarity_threshold=DedupConfig().threshold
    )
    return {named[max(one, other)][0] for one, other, _ in pairs}


def recall(found: set[str], right: set[str]) -> float:
    """The share of the correct ids that were found; 0 if wrong ids were also found."""
    return len(found & right) / max(1, len(right)) if found <= right else 0.0


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure speed and recall against comparing all pairs, growth, and speed against the libraries on more questions."""
    most = setting.size(20_000, 1000)
    problems = synthetic(4 * most)
    # Comparing every pair of 20,000 questions takes seven minutes.
    few = problems[: most * 2 // 5]
    found: set[str] = set()
    right: set[str] = set()
    timed = setting.in_turn(LINE.name, lambda: found.update(exact(few)), lambda: right.update(brute_force(few)))
    size = f"{len(few)} questions, {len(right)} duplicates"
    figures = [
        Figure(
            LINE.name,
            "questions/s, times comparing every pair",
            times_faster(timed),
            "x",
            Goal("≥", 10),
            size,
            speeds(timed, len(few), "questions"),
        ),
        Figure(
            f"{LINE.name}-recall",
            "duplicates found of those that every pair gives",
            [recall(found, right)],
            "",
            Goal("≥", 1),
            size,
        ),
        _growth(setting, problems, [most // 2, most, 2 * most, 4 * most]),
    ]
    libraries = {
        "minhash": ("datasketch", f"MinHash's ({_PERMUTATIONS} permutations)", minhash),
        "all-pairs": ("SetSimilaritySearch", "those of an exact join by Jaccard coefficient", all_pairs),
    }
    there = {name: (title, run) for name, (module, title, run) in libraries.items() if importlib.util.find_spec(module)}
    return figures + [_library(setting, problems, name, title, run) for name, (title, run) in there.items()]


def _growth(setting: Setting, problems: list[Problem], sizes: list[int]) -> Figure:
    taken = [[seconds(functools.partial(exact, problems[:size])) for size in sizes] for _ in range(setting.rounds)]
    least = [min(column) for column in zip(*taken, strict=True)]
    shown = ", ".join(f"{size}: {value:.3g} s" for size, value in zip(sizes, least, strict=True))
    return Figure(
        f"{LINE.name}-growth",
        "exponent of growth of the time",
        [growth(sizes, row) for row in taken],
        "",
        Goal("≤", 1.2),
        f"{', '.join(map(str, sizes))} questions",
        {"least time": shown},
    )


def _library(
    setting: Setting, problems: list[Problem], name: str, title: str, run: Callable[[list[Problem]], set[str]]
) -> Figure:
    ours: set[str] = set()
    theirs: set[str] = set()
    label = f"{LINE.name}-{name}"
    timed = setting.in_turn(label, lambda: ours.update(exact(problems)), lambda: theirs.update(run(problems)))
    notes = {"found by the yardstick": f"{len(theirs & ours) / max(1, len(ours)):.3f} of ours"}
    return Figure(
        label,
        f"questions/s, times {title}",
        times_faster(timed),
        "x",
        Goal("≥", 1),
        f"{len(problems)} questions, {len(ours)} duplicates",
        {**speeds(timed, len(problems), "questions"), **notes},
    )


LINE = Line("duplicates", "`dedup` : comparing every pair; MinHash; an exact join", measure)
