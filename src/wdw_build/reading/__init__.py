"""The input, the output and the descriptor of a reading-comprehension system.

``bench`` turns the problems of a run into ``ReadingProblem`` records, trains each system on the training split and asks it
to choose. A system never sees the answer of a problem that it answers: the answer is beside the problem, not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from wdw_build.core.progress import Progress
from wdw_build.core.section import Section
from wdw_build.core.stage import Backend, Port
from wdw_build.records import BLANK as BLANK
from wdw_build.records import BaseStruct, Record, TokenSpan, unpack_spans


class ReadingChoice(BaseStruct, frozen=True, kw_only=True, cache_hash=True):
    """A choice of a problem. Mentions are ranges [first, last) of passage tokens."""

    name: str
    """The fullest form of the name in the passage."""
    tokens: tuple[str, ...]
    """Tokens of the name."""
    mentions: tuple[TokenSpan, ...]
    """The passage tokens of every mention, by any form of the name, in order; empty if the choice is not a name of the
    passage."""


class ReadingProblem(Record, frozen=True, kw_only=True, cache_hash=True):
    """A problem as a system reads it: everything but the answer."""

    before_blank: str
    """The question's sentence up to the blank; the whole question if it has no blank."""
    after_blank: str
    """The question's sentence after the blank."""
    question_tokens: tuple[str, ...]
    """Tokens of the question; the blank is the one token `XXX`."""
    blank: int
    """Index of the blank in `question_tokens`; -1 if the question has no blank."""
    question_persons: tuple[TokenSpan, ...]
    """The other persons of the question, as ranges [first, last) of `question_tokens`."""
    passage: str
    """The passage's text: paragraphs with a blank line between."""
    token_layout: tuple[int, ...]
    """For each token of the passage, the gap after the previous token and the token's length, in characters
    (see ``pack_spans``)."""
    sentence_starts: tuple[int, ...]
    """Index of the first token of each sentence of the passage, in order; the first one is 0."""
    choices: tuple[ReadingChoice, ...]
    """In the order of their first mention."""

    @property
    def question(self) -> str:
        """The question's sentence with `XXX` for the blank. The sentence may contain `XXX` itself: do not search for it."""
        return self.filled(BLANK) if self.blank >= 0 else self.before_blank

    def filled(self, text: str) -> str:
        """The question with a text in the blank. A question without a blank has one at its end."""
        before = self.before_blank if self.blank >= 0 else f"{self.before_blank.rstrip()} "
        return f"{before}{text}{self.after_blank}"

    @property
    def token_spans(self) -> tuple[TokenSpan, ...]:
        """The span [start, end) of each token in ``passage``, in characters."""
        return unpack_spans(self.token_layout)

    @property
    def passage_tokens(self) -> tuple[str, ...]:
        """Tokens of the passage."""
        return tuple(self.passage[start:end] for start, end in self.token_spans)

    def sentences(self) -> Iterator[TokenSpan]:
        """The range [first, last) of passage tokens of each sentence."""
        ends = (*self.sentence_starts[1:], len(self.token_layout) // 2)
        return zip(self.sentence_starts, ends, strict=True)


class LabelledProblem(Record, frozen=True, kw_only=True):
    """A problem with its answer, as a system is trained on it."""

    problem: ReadingProblem
    """What the system reads."""
    answer: int
    """Index of the answer in `problem.choices`."""
    split: str
    """`train`, `validation` or `test`; empty if the dataset does not have the problem."""
    level: str
    """`strict`, `relaxed`, or `suppressed` if the dataset does not have the problem."""
    guesses: dict[str, int]
    """Baseline or adversary of suppression -> index of the choice that it predicted."""


class LabelledProblems(Protocol):
    """Problems of one split, read from disk in every pass, so that they need not fit into memory."""

    def __iter__(self) -> Iterator[LabelledProblem]: ...

    def __len__(self) -> int: ...


class Credit(NamedTuple):
    """The credit of one prediction. ``share``: 1 / the number of tied choices if the answer is among them, else 0.

    ``is_tied``: whether several choices have the highest score. ``is_right``: whether one of them, drawn by a hash of seed
    and id, is the answer; paired tests need a yes or no.
    """

    share: float
    is_tied: bool
    is_right: bool


class Prediction(NamedTuple):
    """A system's answer to one problem.

    ``scores`` has a number for each choice; the system chooses the highest one. Without scores the system gave no answer,
    which counts as wrong. ``spans`` is what a system extracts from the
    passage in place of a choice; None for systems that only choose.
    """

    scores: tuple[float, ...]
    spans: tuple[str, ...] | None = None

    @property
    def first_choice(self) -> int:
        """Index of the highest-scored choice, of equal ones the first: the rule of suppression."""
        return self.scores.index(max(self.scores))

    def credit(self, answer: int, draw: float) -> Credit:
        """The credit of the prediction if ``answer`` is the answer. ``draw``: a number in [0, 1) that decides a tie."""
        if not self.scores:
            return Credit(0.0, is_tied=False, is_right=False)
        highest = max(self.scores)
        tied = [index for index, score in enumerate(self.scores) if score == highest]
        share = 1 / len(tied) if answer in tied else 0.0
        return Credit(share, len(tied) > 1, tied[int(draw * len(tied))] == answer)


@dataclass(frozen=True)
class TrainingContext:
    """The resources of a training.

    ``device`` is ``cpu`` or ``cuda``; ``vectors`` is a file of word vectors in the text form of GloVe or word2vec, None for
    those that ship with the program; ``encoder`` is the folder of a transformer, None for the package's own. ``answers``: folder
    in which a system may keep answers that cost time or money, for all later calls; None: nowhere.
    """

    seed: int = 0
    device: str = "cpu"
    vectors: Path | None = None
    encoder: Path | None = None
    answers: Path | None = None
    progress: Progress = field(default_factory=Progress)


class System(Protocol):
    """A reading-comprehension system. One object is trained once and then answers problems.

    The same training problems, settings and seed give the same predictions.
    """

    @property
    def parameters(self) -> int:
        """The number of trained parameters, fixed word vectors excluded; 0 if nothing is trained."""
        ...

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Learn from ``training``; ``validation`` decides when to stop. Systems that learn nothing do nothing here."""
        ...

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """A prediction for each problem, in order. Reads no more than some batches ahead."""
        ...


class Untrained:
    """Base class of systems that learn nothing. ``fit`` gets no problems; it notes the device of the workspace."""

    device = "cpu"
    parameters = 0

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Note the device; nothing is learnt."""
        self.device = workspace.device


Group = Literal["probe", "table 4", "today"]


@dataclass(frozen=True)
class SystemEntry:
    """A system's descriptor: all that ``bench`` needs to know before it makes the system.

    ``make`` takes the decoded settings. ``backends`` returns what decides predictions besides settings, problems and
    seed (library versions, hashes of model files), and raises ``MissingResourceError`` if a part is missing; it must be
    cheap. ``configured``: whether the settings name all that a user must choose, such as a model; if not, ``backends``
    raises. ``accelerated``: an untrained system that uses the workspace's device. ``paper``: accuracies in the paper's
    Table 4, trained on strict and on relaxed problems. ``has_cut_off``: the system does not read text past a limit, and gives
    a choice that it did not read the score 0. ``operational``: names of settings that do not decide predictions.
    Importing an entry's module must not import torch.
    """

    name: str
    title: str
    source: str
    group: Group
    make: Callable[[Any], System]
    version: int = 1
    settings: type[Section] = Section
    trained: bool = False
    seeded: bool = False
    backends: Callable[[Any, TrainingContext], dict[str, str]] = lambda settings, workspace: {}
    configured: Callable[[Any], bool] = lambda settings: True
    accelerated: bool = False
    paper: tuple[float | None, float | None] = (None, None)
    has_cut_off: bool = False
    operational: frozenset[str] = frozenset()

    def deciding(self, settings: Section) -> dict[str, Any]:
        """The settings that decide predictions, as JSON has them."""
        values: dict[str, Any] = msgspec.to_builtins(settings)
        return {name: value for name, value in values.items() if name not in self.operational}

    @property
    def uses_device(self) -> bool:
        """Whether the system runs on the workspace's device: all with random training do."""
        return self.seeded or self.accelerated


class Adversaries(Backend, Protocol):
    """Reading-comprehension systems that answer the problems, so that suppression can bound their accuracy too.

    Its identity: name, version and backends of every system, and the hashes of given predictions.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the adversaries, in the order of the configuration."""
        ...

    def scores(
        self,
        name: str,
        problems: LabelledProblems,
        content: str,
        folds: Mapping[str, int | None],
        seed: int,
        progress: Progress,
        training: frozenset[str] | None = None,
    ) -> Mapping[str, tuple[float, ...]]:
        """The scores of one adversary for the choices of every problem, by problem id.

        ``content`` is a hash of the problems. ``folds`` maps each problem to its fold: a system that was trained on the other
        folds judges the problem, and a system that was trained on all folds judges the problems of fold None. With
        ``training``, a system is trained only on the problems with these ids. Raises ``UsageError`` if given predictions
        lack a problem.
        """
        ...


ADVERSARIES: Port[Adversaries] = Port("adversaries")
