"""Protocols that the stages speak to; the adapters implement them, the tests put fakes in their place.

``identity`` names the backend exactly (library versions, model hashes). It must be cheap: it enters fingerprints, and
``status`` asks for it without loading the library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from wdw_build.core.stage import Port
from wdw_build.records import Annotation, Article, Problem, RawArticle, SplitAssignment, TaggedName, Tokens, Unreadable
from wdw_build.text.passages.same_event import Frequencies


class CorpusReader(Protocol):
    """Reads a corpus in a fixed order, one raw article at a time; memory does not grow with the corpus."""

    @property
    def identity(self) -> str:
        """The reader's name, version, options and the hash of every file it reads."""
        ...

    def read(self) -> Iterator[RawArticle | Unreadable]:
        """Yield every article, and an ``Unreadable`` for every place that holds none that can be read."""
        ...

    def size(self) -> int:
        """Bytes to read, for the progress bar."""
        ...


@runtime_checkable
class OnDevice(Protocol):
    """A backend whose models compute on the CPU or on a GPU. Where is no part of its identity, and is recorded."""

    @property
    def device(self) -> str:
        """``cpu`` or ``cuda``. Raises ``MissingResourceError`` if a GPU was asked for and there is none."""
        ...

    def take_devices(self) -> frozenset[str]:
        """The devices whose results were given out since this was last asked."""
        ...


class Annotator(OnDevice, Protocol):
    """Tokens, persons and trees of English text. A result depends on its own text alone, not on its neighbours."""

    @property
    def identity(self) -> str:
        """Library version and the hashes of the models."""
        ...

    def first_sentences(self, paragraphs: Sequence[str]) -> list[Tokens | None]:
        """The first sentence of each paragraph; None where there is none."""
        ...

    def names(self, sentences: Sequence[Tokens]) -> list[tuple[TaggedName, ...]]:
        """The names of each sentence with their kinds (PERSON, ORG, LOC, MISC), in order."""
        ...

    def trees(self, sentences: Sequence[Tokens]) -> list[str]:
        """The Penn-bracketed constituency tree of each sentence, one leaf a token."""
        ...

    def annotate(self, texts: Sequence[tuple[str, str]]) -> list[Annotation]:
        """The persons of whole articles; ``texts`` holds (id, text)."""
        ...


class Annotations(OnDevice, Protocol):
    """The persons of articles, annotated once for each article and model."""

    @property
    def identity(self) -> str:
        """The annotator's identity."""
        ...

    def annotate(self, articles: Sequence[Article]) -> dict[str, Annotation]:
        """The annotation of every article, by id."""
        ...


class Hit(NamedTuple):
    """An article found, and its BM25 score."""

    id: str
    score: float


# Where in its stage's folder the index stands: written by one stage, read by another.
INDEX_FOLDER = "lucene"


class SearchIndex(Protocol):
    """BM25 over article texts with required names and day windows."""

    @property
    def identity(self) -> str:
        """Library version, analysers and BM25's parameters."""
        ...

    def writer(self, folder: Path) -> AbstractContextManager[Callable[[str, int, str], None]]:
        """Write an index into ``folder``: a function that adds (id, day, text); the index is whole at the end."""
        ...

    def search(
        self, folder: Path, *, sentence: str, names: Sequence[str], day: int, window: int, exclude: str, limit: int
    ) -> list[Hit]:
        """The best ``limit`` articles within ``window`` days of ``day`` that hold one of ``names`` as a phrase.

        Ordered by (-score, id). ``exclude`` is an id that is left out.
        """
        ...


class ArticleText(NamedTuple):
    """What an event scorer reads of an article.

    ``day`` counts days since 1970-01-01; ``sentences`` are raw, as ``text.tokens.sentences`` cuts them.
    """

    id: str
    day: int
    title: str
    sentences: Sequence[str]


class EventScorer(Protocol):
    """How likely articles tell of the same event as a question."""

    @property
    def identity(self) -> str:
        """The scorer's name, version, weights and the hash of its model. Raises ``MissingResourceError`` if a part is missing."""
        ...

    def score(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[float]:
        """The likelihood, in [0, 1] and rounded to 4 decimals, that each candidate tells of the question's event.

        ``question`` is the whole sentence with the deleted name; ``own`` is the article that it opens. A score depends
        on the question, ``own``, that one candidate and ``frequencies``: not on other candidates, nor on earlier calls.
        """
        ...


class LanguageModel(Protocol):
    """An n-gram model estimated with modified Kneser-Ney smoothing."""

    @property
    def identity(self) -> str:
        """Library version, order and the estimator's hash."""
        ...

    def estimate(self, sentences: Iterable[Sequence[str]], folder: Path) -> None:
        """Estimate a model of the tokenised sentences and keep it in ``folder``."""
        ...

    def score(self, folder: Path, sentence: Sequence[str]) -> float:
        """log10 probability of a sentence, begin and end included."""
        ...


class LinearProgram(NamedTuple):
    """maximise objective . x  subject to  row . x <= bound for every row, low <= x <= high (by variable name)."""

    objective: Mapping[str, float]
    rows: Mapping[str, tuple[Mapping[str, float], float]]
    bounds: Mapping[str, tuple[float, float]]


class Solver(Protocol):
    """A linear-programme solver."""

    @property
    def identity(self) -> str:
        """Library and solver version."""
        ...

    def solve(self, programme: LinearProgram) -> dict[str, float]:
        """The optimal value of every variable. Raises ``CorpusError`` if there is no optimum."""
        ...


class Exporter(Protocol):
    """Writes the dataset in one format."""

    @property
    def identity(self) -> str:
        """Format name and version."""
        ...

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files under ``folder``; returns the ids in each file (path relative to ``folder``)."""
        ...


@runtime_checkable
class CorpusExporter(Protocol):
    """Writes the dataset in one format that needs the articles as the reader gives them."""

    @property
    def identity(self) -> str:
        """Format name and version."""
        ...

    def write_from(
        self,
        folder: Path,
        problems: Iterable[tuple[Problem, SplitAssignment]],
        corpus: Iterable[RawArticle | Unreadable],
    ) -> dict[str, list[str]]:
        """As ``Exporter.write``; ``problems`` and ``corpus`` may be gone through more than once."""
        ...


Exporters = Mapping[str, Exporter | CorpusExporter]

# The ports of the stages: ``context.port(ANNOTATOR)`` is an ``Annotator``.
READER: Port[CorpusReader] = Port("reader")
ANNOTATOR: Port[Annotator] = Port("annotator")
ANNOTATIONS: Port[Annotations] = Port("annotations")
INDEX: Port[SearchIndex] = Port("index")
EVENT_SCORER: Port[EventScorer] = Port("event_scorer")
LANGUAGE_MODEL: Port[LanguageModel] = Port("language_model")
SOLVER: Port[Solver] = Port("solver")
EXPORTERS: Port[Exporters] = Port("exporters")
