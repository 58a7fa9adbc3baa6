"""The problems together: no near-duplicate questions; and splits by date, of the configured sizes, that do not leak.

Whether two names belong to one person, and where a sentence ends, is ambiguous. Only what holds in every reading is reported:
two problems have a person in common if the last words of two names are equal, made of letters, and no title.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path

import msgspec

from wdw_build.records import Problem
from wdw_build.verify.checked_run import CheckedRun, Recorder, held_out_number
from wdw_build.verify.plain_words import sure_sentences, surely_identifying, words

SPLITS = ("train", "validation", "test")
_FEWEST_WORDS = 5
# The k of ``pairs``: a larger k reads longer posting lists and compares fewer bags.
_SHARED_RARE = 3
Bag = frozenset[int]


def duplicates(run: CheckedRun, recorder: Recorder) -> None:
    """Two kept questions share less than dedup.threshold of the shorter question's words."""
    sentences = ((problem.id, problem.question.sentence) for problem in run.files.records("problems", Problem))
    bags = bags_of(sentences)
    recorder.count(len(bags))
    for name, other in pairs(bags, run.config.dedup.threshold):
        recorder.fail(other, f"is a near-duplicate of {name}")


def faulty_left_out(run: CheckedRun, recorder: Recorder) -> None:
    """No split contains a problem listed in a corpus.faulty_problems file."""
    for path in map(Path, run.config.corpus.faulty_problems):
        try:
            lines = [msgspec.json.decode(line)["id"] for line in path.read_bytes().splitlines() if line.strip()]
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as error:
            recorder.fail(str(path), f"cannot be read: {error}")
            continue
        for name in lines:
            recorder.count()
            if name in run.placed:
                recorder.fail(name, f"is in the dataset, and in {path}")


def bags_of(sentences: Iterable[tuple[str, str]]) -> dict[str, Bag]:
    """The words of each sentence, by id: a number for each word and occurrence, so that a multiset is a set."""
    numbers: dict[tuple[str, int], int] = {}
    bags: dict[str, Bag] = {}
    for name, sentence in sentences:
        counts = Counter(words(sentence))
        occurrences = ((word, number) for word, count in counts.items() for number in range(count))
        bags[name] = frozenset(numbers.setdefault(one, len(numbers)) for one in occurrences)
    return bags


def pairs(bags: dict[str, Bag], threshold: float) -> Iterator[tuple[str, str]]:
    """Every pair of ids whose bags reach the threshold; an empty bag has no duplicate.

    The similarity of two bags is the size of their multiset intersection, divided by the size of the smaller one. It is
    computed in integers, so a pair exactly at the threshold is a duplicate. Bags are compared through an index with prefix
    filtering: two bags that reach the threshold t, the smaller with n words, share at least t*n of them, hence at least k
    of any n - t*n + k of them. Only bags with k of the n - t*n + k rarest words of the smaller one are compared. The
    second occurrence of a word is an element of its own.
    """
    exact = Fraction(str(threshold))
    # From large to small: at each lookup, the index holds exactly the bags that are not smaller.
    order = sorted(bags, key=lambda name: (-len(bags[name]), name))
    frequency = Counter(word for bag in bags.values() for word in bag)
    index: defaultdict[int, list[int]] = defaultdict(list)
    for number, name in enumerate(order):
        bag = bags[name]
        enough = math.ceil(exact * len(bag))
        # A small bag may share fewer than k words with a duplicate.
        shared = min(_SHARED_RARE, enough)
        rare = sorted(bag, key=lambda word: (frequency[word], word))[: len(bag) - enough + shared]
        candidates = Counter(chain.from_iterable(index.get(word, ()) for word in rare))
        for other in [number for number, count in candidates.items() if count >= shared]:
            if len(bag & bags[order[other]]) >= enough:
                yield order[other], name
        for word in bag:
            index[word].append(number)


# ---- splits ----------------------------------------------------------------------------------------------------------


def placement(run: CheckedRun, recorder: Recorder) -> None:
    """Every selected problem is either in one split or rejected; relaxed problems are only in training."""
    rejected = set(run.files.rejected_ids("split"))
    seen: set[str] = set()
    for name in run.files.ids("split"):
        if name in seen:
            recorder.fail(name, "is placed twice")
        seen.add(name)
    for name, decision in run.decisions.items():
        recorder.count()
        place = run.placed.get(name)
        if place is None or name in rejected:
            if (place is None) != (name in rejected):
                recorder.fail(
                    name, "is neither placed nor rejected" if place is None else "is both placed and rejected"
                )
            continue
        level = "strict" if decision.strict else "relaxed"
        if place.split not in SPLITS or place.level != level or place.date != decision.date:
            recorder.fail(
                name,
                f"is placed as {place.level}, {place.split}, {place.date}; suppression recorded {level}, {decision.date}",
            )
        elif level == "relaxed" and place.split != "train":
            recorder.fail(name, f"is a relaxed problem in {place.split}")
    for name in run.placed.keys() - run.decisions.keys():
        recorder.fail(name, "is placed, but suppression did not keep it")


def _left_out(run: CheckedRun) -> list[str]:
    """The held-out problems that were left out because they leak."""
    rejections = run.files.rejections("split")
    return [one.id for one in rejections if one.reason == "in-leaking-group" and one.id in run.decisions]


def split_dates(run: CheckedRun, recorder: Recorder) -> None:
    """All training questions precede all held-out questions, by (date, id) and by at least split.gap_days."""
    held_out = [(place.date, place.id) for place in run.placed.values() if place.split != "train"]
    held_out += [(run.decisions[name].date, name) for name in _left_out(run)]
    if run.config.split.held_out_from is not None:
        held_out.append((run.config.split.held_out_from, ""))
    if not held_out:
        return
    first = min(held_out)
    last_day = first[0] - dt.timedelta(days=run.config.split.gap_days)
    for place in run.placed.values():
        recorder.count()
        if place.split == "train" and ((place.date, place.id) > first or place.date > last_day):
            recorder.fail(place.id, f"is of {place.date} and in training, but {first[1]} of {first[0]} is held out")


def split_periods(run: CheckedRun, recorder: Recorder) -> None:
    """With split.test_from, a problem is in the split of its date; a strict held-out problem may be rejected instead."""
    config = run.config.split
    test_from = config.test_from
    if test_from is None:
        return
    validation_from = config.validation_from or test_from

    def split_of(day: dt.date) -> str:
        return "test" if day >= test_from else "validation" if day >= validation_from else "train"

    allowed = {"in-leaking-group"} if config.one_per_group else set()
    if config.by_event:
        allowed.add("connected-with-held-out")
    reasons = {one.id: one.reason for one in run.files.rejections("split")}
    for name, decision in run.decisions.items():
        recorder.count()
        expected, place = split_of(decision.date), run.placed.get(name)
        if place is not None and place.split != expected:
            recorder.fail(name, f"is of {decision.date} and in {place.split}, not in {expected}")
        elif place is None and decision.strict and expected != "train" and reasons.get(name) not in allowed:
            recorder.fail(name, f"is of {decision.date} and not in {expected}, but rejected: {reasons.get(name)}")


def split_sizes(run: CheckedRun, recorder: Recorder) -> None:
    """Without split.test_from, validation and test have the configured size, and differ by at most 1 (unless split.by_event)."""
    if run.config.split.test_from is not None:
        return
    recorder.count()
    config, number = run.config.split, sum(decision.strict for decision in run.decisions.values())
    expected = held_out_number(number, config)
    if unbounded := _outside_of_scope(run):
        strict = sum(run.decisions[name].strict for name in unbounded)
        expected = strict if strict > 1 else 0
    validation, test = (sum(place.split == split for place in run.placed.values()) for split in SPLITS[1:])
    held_out = validation + test + len(_left_out(run))
    if abs(validation - test) > 1 and not config.by_event:
        recorder.fail("split", f"{validation} problems are in validation and {test} in test")
    # Nothing is held out if all problems to hold out may be of one event or group.
    if held_out != expected and (held_out or not (config.by_event or config.one_per_group)):
        recorder.fail("split", f"{held_out} problems are held out, not {expected}; {number} strict problems were kept")


def _outside_of_scope(run: CheckedRun) -> set[str]:
    """The kept problems that no adversary bounds, if adversaries bound others: with ``adversary.scope: training``."""
    unbounded = {name for name in run.decisions if run.predictions[name].unbounded}
    return unbounded if len(unbounded) < len(run.decisions) else set()


def bounded_training(run: CheckedRun, recorder: Recorder) -> None:
    """With adversary.scope: training, problems in scope are not held out, and other problems are not in training."""
    unbounded = _outside_of_scope(run)
    is_divided = unbounded and any(place.split != "train" for place in run.placed.values())
    for place in run.placed.values():
        recorder.count()
        if is_divided and (place.split == "train") == (place.id in unbounded):
            recorder.fail(
                place.id, f"is in {place.split}, and is {'not ' * (place.id in unbounded)}bounded by adversaries"
            )


def split_events(run: CheckedRun, recorder: Recorder) -> None:
    """No problem is connected with a problem in another split (if split.by_event)."""
    if not run.config.split.by_event:
        return
    held_out: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for problem in _placed_problems(run):
        if run.placed[problem.id].split != "train":
            for key, _ in _connections(problem):
                held_out[key].append((problem.passage.date.toordinal(), problem.id))
    for problem in _placed_problems(run):
        recorder.count()
        split, day = run.placed[problem.id].split, problem.passage.date.toordinal()
        others = {
            name
            for key, on_any_day in _connections(problem)
            for other_day, name in held_out.get(key, ())
            if run.placed[name].split != split and (on_any_day or abs(day - other_day) <= run.config.split.event_days)
        }
        if others:
            recorder.fail(problem.id, f"is in {split} and connected with {min(others)} of another split")


def _placed_problems(run: CheckedRun) -> Iterator[Problem]:
    return (problem for problem in run.files.records("problems", Problem) if problem.id in run.placed)


def _connections(problem: Problem) -> Iterator[tuple[str, bool]]:
    """The articles and the pairs of persons of a problem: each connects it with others, and whether on any day."""
    question = problem.question
    yield from ((f"article {article}", True) for article in {problem.id, problem.passage.article})
    names = [mention.text for mention in (question.name, *question.others)]
    names += [choice.name for choice in problem.choices]
    last_words = {
        last
        for name in names
        for last in name.casefold().split()[-1:]
        if last.isalpha() and last in surely_identifying(name)
    }
    yield from ((f"persons {one} {other}", False) for one, other in combinations(sorted(last_words), 2))


def held_out_leaks(run: CheckedRun, recorder: Recorder) -> None:
    """Held-out problems have different passages, and no passage contains another question (if split.one_per_group)."""
    if not run.config.split.one_per_group:
        return
    by_sentence: dict[tuple[str, ...], str] = {}
    by_passage: dict[str, str] = {}
    held_out = {name for name, place in run.placed.items() if place.split != "train"}
    for problem in _placed_problems(run):
        if problem.id in held_out:
            by_sentence[tuple(words(problem.question.sentence))] = problem.id
    for problem in _placed_problems(run):
        if problem.id not in held_out:
            continue
        recorder.count()
        article = problem.passage.article
        first = by_passage.setdefault(article, problem.id)
        if first != problem.id:
            recorder.fail(problem.id, f"has the passage {article}, like {first}")
        if article in held_out:
            recorder.fail(article, f"is the passage of {problem.id}")
        for sentence in map(words, sure_sentences(problem.passage.text)):
            other = by_sentence.get(tuple(sentence), problem.id)
            if len(sentence) >= _FEWEST_WORDS and other not in (problem.id, article):
                recorder.fail(other, f"has its sentence in the passage of {problem.id}")
