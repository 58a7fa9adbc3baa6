"""The protocols of the backends that stages use. Adapters implement them, and tests substitute fakes.

``identity`` names the exact backend (library versions, model hashes) and is part of a stage's fingerprint. It must be
cheap: ``status`` reads it without loading the library.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from wdw_build.core.section import Section
from wdw_build.core.stage import Backend, Port
from wdw_build.records import (
    Annotation,
    Article,
    Names,
    Problem,
    Pseudonyms,
    RawArticle,
    SplitAssignment,
    TaggedName,
    Tokens,
    Unreadable,
)
from wdw_build.text.passages.evidence import SentenceVectors
from wdw_build.text.passages.same_event import Frequencies
from wdw_build.text.pseudonyms.apply import renamed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

END = sys.maxsize


class FileRange(NamedTuple):
    """A part of a file, from ``start`` to ``end`` in the reader's unit (bytes of the unpacked file, rows, row groups).

    ``before``: the lines or rows before the span, so that places are those in the whole file; 0 if the reader counts them.
    """

    start: int = 0
    end: int = END
    before: int = 0


WHOLE = FileRange()


@dataclass(frozen=True)
class Block:
    """A part of a corpus that is read by one task: some whole files, or one span of a file.

    ``files``: their paths; of a reader without files, names of its own. ``size``: the bytes on disk, for progress.
    """

    files: tuple[str, ...] = ()
    span: FileRange = WHOLE
    size: int = 0


class CorpusReader(Backend, Protocol):
    """Reads a corpus in a fixed order, one article at a time, in memory that does not grow with the corpus.

    Its identity: the reader's name, version and options, and the hashes of the files.
    """

    def blocks(self) -> list[Block]:
        """The blocks of the corpus, in its order. Large files are cut, small files are grouped."""
        ...

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """Yield every article, and an ``Unreadable`` for every place whose article cannot be read; of all blocks or of one.

        The entries of the blocks, one block after another, are the entries of the whole corpus.
        """
        ...

    def size(self) -> int:
        """Bytes to read, for the progress bar."""
        ...

    def file_notes(self) -> list[str]:
        """What the user should know about the files, such as that some are empty."""
        ...


class PluginReader(Backend, Protocol):
    """What a reader of another package must have. ``adapters.corpora.plugin`` makes a ``CorpusReader`` of it."""

    def read(self) -> Iterator[RawArticle | Unreadable]:
        """See ``CorpusReader.read``; of the whole corpus."""
        ...

    def size(self) -> int:
        """See ``CorpusReader.size``."""
        ...


@runtime_checkable
class OnDevice(Protocol):
    """A backend that computes on the CPU or on a GPU. The device is recorded, but is not part of the identity."""

    @property
    def device(self) -> str:
        """``cpu`` or ``cuda``. Raises ``MissingResourceError`` if the configuration asks for a GPU and there is none."""
        ...

    def take_devices(self) -> frozenset[str]:
        """The devices that computed the results returned since the last call."""
        ...


@runtime_checkable
class Preloaded(Protocol):
    """A backend with something to load before worker processes are forked, which then share it."""

    def preload(self) -> None:
        """Import libraries and load models. Starts no thread and no JVM, and initialises no GPU: a fork does not copy them."""
        ...


@runtime_checkable
class StoresResults(Protocol):
    """A backend that stores what its model computed, so that no other process computes it."""

    def flush(self) -> None:
        """Store what this process has computed and not stored yet; called when a stage has read its inputs."""
        ...


class SentenceAnnotator(Backend, OnDevice, Protocol):
    """Tokens, names and trees of English sentences. A result depends only on its own text, not on the other inputs.

    Its identity: library version and the hashes of the models.
    """

    def first_sentences(self, paragraphs: Sequence[str]) -> list[Tokens | None]:
        """The first sentence of each paragraph; None for a paragraph without one."""
        ...

    def names(self, sentences: Sequence[Tokens]) -> list[tuple[TaggedName, ...]]:
        """The names in each sentence, in order, with their kinds (PERSON, ORG, LOC, MISC)."""
        ...

    def trees(self, sentences: Sequence[Tokens]) -> list[str]:
        """The constituency tree of each sentence in Penn brackets, with one leaf for each token."""
        ...


class PageTagger(Backend, Protocol):
    """Says which words of a text are no part of its story. A result depends only on its own text.

    Its identity: the version of the library and hashes of the model.
    """

    def probabilities(self, texts: Sequence[Sequence[str]]) -> list[list[tuple[float, ...]]]:
        """For each word of each text, the probabilities of the kinds of ``text.pages.tagged_lines``, rounded.

        A text has at most ``tagged_lines.SIZE`` words, with marks before its lines.
        """
        ...

    def starts(self, texts: Sequence[Sequence[str]]) -> list[list[float]]:
        """For each word of each text, the log odds that a sentence starts there although no stop is before it, rounded.

        Minus infinity for words that are not read.
        """
        ...


class Annotator(SentenceAnnotator, Protocol):
    """Also the persons in whole articles."""

    def annotate(self, texts: Sequence[tuple[str, str]]) -> list[Annotation]:
        """The persons in whole articles, given as (id, text)."""
        ...


class CachedAnnotator(SentenceAnnotator, StoresResults, Protocol):
    """An annotator that stores each result by its text and the model. Its identity is the annotator's."""

    def annotate(self, articles: Sequence[Article]) -> dict[str, Annotation]:
        """The annotation of every article, by id."""
        ...


class Hit(NamedTuple):
    """An article that a search found: its id, its BM25 score, its day, and whether it has one of the wanted keywords."""

    id: str
    score: float
    day: int
    has_keyword: bool = False


class AddArticle(Protocol):
    """Adds an article to an index that is being written."""

    def __call__(self, article: str, day: int, text: str, keywords: Collection[str] = ()) -> None:
        """Add the article with this id. ``keywords`` are strings that are searched as they are."""
        ...


# The folder of the search index within the output of the stage that writes it.
INDEX_FOLDER = "lucene"


class SearchIndex(Backend, Protocol):
    """BM25 search over article texts, filtered by names and days.

    Its identity: library version, analysers and the parameters of BM25.
    """

    def writer(self, folder: Path) -> AbstractContextManager[AddArticle]:
        """Write an index into ``folder`` with a function that adds an article; leaving the block completes the index."""
        ...

    def join(self, folders: Sequence[Path], folder: Path) -> None:
        """Write into ``folder`` the index of the articles of several indexes, in order: equal to one writer's in every search.

        The articles are not analysed again, and the given indexes are left as they are.
        """
        ...

    def search(
        self,
        folder: Path,
        *,
        sentence: str,
        names: Sequence[str],
        day: int,
        windows: Sequence[int],
        exclude: str,
        limit: int,
        keywords: Collection[str] = (),
        require_keyword: bool = False,
    ) -> Iterator[list[Hit]]:
        """For each window, the best ``limit`` articles within that many days of ``day`` that have one of ``names`` as a phrase.

        An article has a name if its ``search_words`` contain one of the name's ``search_phrases`` (``text.tokens``).
        The hits of a window are ordered by (-score, id) and do not include the article ``exclude``. ``has_keyword`` says
        whether an article was added with one of ``keywords``; with ``require_keyword`` only such articles are hits.
        """
        ...


class SentenceSplitter(Backend, Protocol):
    """Splits raw text into sentences, for the overlap tests, the event scores and the language model.

    Its identity: name and version.
    """

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text in order; the end of a paragraph (a blank line) ends a sentence."""
        ...


class LanguageDetector(Backend, Protocol):
    """Says whether a text is English. Its identity: name and version."""

    def english(self, text: str) -> float:
        """The probability that a text is English, rounded to 3 decimals; the same on every processor."""
        ...


class ArticleText(NamedTuple):
    """The parts of an article that an event scorer reads.

    ``day`` counts from 1970-01-01; ``sentences`` are raw text, split by the ``SentenceSplitter``.
    """

    id: str
    day: int
    title: str
    sentences: Sequence[str]


class EventQuestion(NamedTuple):
    """A question's whole sentence with the deleted name, the article that starts with it, and its candidate articles."""

    sentence: str
    article: ArticleText
    candidates: Sequence[ArticleText]


class EventScorer(Backend, Protocol):
    """The probability that an article reports the same event as a question.

    Its identity: the scorer's name, version, weights and the hash of its model. Raises ``MissingResourceError`` if a part
    is missing.
    """

    def score(self, questions: Sequence[EventQuestion], frequencies: Frequencies) -> list[list[float]]:
        """For each question, the probability that each candidate reports its event, rounded to 3 decimals.

        A score depends on the question, the one candidate and ``frequencies``, not on other questions, other candidates or
        earlier calls. Several questions in one call are quicker.
        """
        ...


class TextEncoder(Backend, SentenceVectors, Protocol):
    """Sentence vectors. Its identity: the tokenizer's version and the hash of the model."""


class LanguageModel(Backend, Protocol):
    """An n-gram model with modified Kneser-Ney smoothing.

    Its identity: library version, order and the estimator's hash.
    """

    def estimate(self, text: Iterable[bytes], folder: Path) -> None:
        """Estimate a model and store it in ``folder``. Without a sentence, no model is stored.

        ``text``: the pieces of a UTF-8 text, cut anywhere. Each line is a sentence with one space between its tokens.
        """
        ...

    def score(self, folder: Path, sentence: Sequence[str]) -> float:
        """The log10 probability of a sentence, with its start and end symbols."""
        ...


class SpanAnswer(NamedTuple):
    """The answer of a reading-comprehension model to a question in ordinary words."""

    spans: tuple[str, ...]
    """Texts of the spans that the model extracts from the passage; empty: the model has no answer."""
    score: float
    """Confidence in [0, 1]; comparable between the answers of one model."""


class SpanAdversary(Backend, Protocol):
    """Answers the questions that people write about a passage, while they write them: within two seconds on a CPU.

    Its identity: name and version, and the hash of the model.
    """

    def answer(self, passage: str, question: str) -> SpanAnswer:
        """The answer to a question about a passage. It depends on the two texts alone."""
        ...


@dataclass(frozen=True)
class IntegerProgram:
    """Maximise objective . x so that low <= matrix x <= high, with every x either 0 or 1. x = 0 meets all rows."""

    objective: NDArray[np.float64]
    """(n,)"""
    matrix: csr_array
    """(rows, n)"""
    low: NDArray[np.float64]
    """(rows,) minus infinity for a row without a lower bound"""
    high: NDArray[np.float64]
    """(rows,)"""


class Relaxation(NamedTuple):
    """The optimum of an integer program whose variables may also lie between 0 and 1."""

    optimum: float
    values: NDArray[np.float64]
    """(n,)"""
    reduced_costs: NDArray[np.float64]
    """(n,) what the objective gains for each unit by which a variable at 0 or 1 is moved inwards; never positive"""


class Solver(Backend, Protocol):
    """A solver of integer programs over yes-or-no variables. Its answers do not depend on the clock.

    Its identity: the versions of library and solver.
    """

    def relax(self, program: IntegerProgram) -> Relaxation:
        """The linear relaxation."""
        ...

    def solve_integer(self, program: IntegerProgram, fixed: NDArray[np.int8]) -> NDArray[np.bool_] | None:
        """(n,) the variables that are 1 in the best solution that the search finds; None if it finds none.

        ``fixed``: (n,) the value of each variable, -1 for those that the search decides.
        """
        ...


class FaultyProblems(Backend, Protocol):
    """The problems that people found faulty.

    Its identity: number and hash of the problems and reasons. Raises as ``reasons``.
    """

    def reasons(self) -> Mapping[str, str]:
        """Id of a problem -> what is wrong with it.

        Raises ``MissingResourceError`` for a file that cannot be read, ``ConfigError`` for a line in another form.
        """
        ...


@runtime_checkable
class WithCode(Protocol):
    """A corpus that Python files of the user change as they are read."""

    @property
    def code(self) -> Mapping[str, str]:
        """The files, as the reader's options name them, each with its SHA-256 (hex); empty if there are none."""
        ...


class Exporter(Backend, Protocol):
    """Writes the dataset in one format.

    Its identity: format name and version.
    """

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files under ``folder``; return the ids in each file, by its path relative to ``folder``."""
        ...


ALTERNATIVE = "alternative"
"""The level of a training alternative (``selection.training_alternatives``), which no stage stores."""


@runtime_checkable
class WithAlternatives(Protocol):
    """An exporter that also writes training alternatives: they follow the problems, as training with level `alternative`."""

    writes_alternatives: bool


class OriginalProblem(NamedTuple):
    """A problem with its original names, and the names that replace them in the export; None if none are replaced."""

    problem: Problem
    placed: SplitAssignment
    pseudonyms: Pseudonyms | None

    def renamed(self, names: Names) -> Problem:
        """The problem with these names."""
        return renamed(self.problem, self.pseudonyms) if self.pseudonyms and names == "codes" else self.problem


class ExportedProblems(Protocol):
    """The problems of an export in their order. They can be read more than once."""

    @property
    def names(self) -> Names:
        """The names that the exported problems have."""
        ...

    def __iter__(self) -> Iterator[tuple[Problem, SplitAssignment]]:
        """Yield the problems as they are exported."""
        ...

    def originals(self) -> Iterator[OriginalProblem]:
        """Yield the same problems with their original names."""
        ...


@runtime_checkable
class CorpusExporter(Backend, Protocol):
    """Writes the dataset in a format that needs the articles as the reader gives them.

    Its identity: format name and version.
    """

    def write_from(
        self, folder: Path, problems: ExportedProblems, corpus: Iterable[RawArticle | Unreadable]
    ) -> dict[str, list[str]]:
        """Like ``Exporter.write``. ``problems`` and ``corpus`` can be iterated repeatedly; ``corpus`` may be ``WithCode``."""
        ...


class ReleaseConfig(Section, frozen=True):
    """Statements about the dataset, for its datasheet and export cards. Empty: not stated."""

    title: str = ""
    """Name of the dataset."""
    version: str = ""
    """Version, such as the month of the test set."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    licence: str = ""
    """Licence of the dataset."""
    source_licence: str = ""
    """Licence of the source articles."""
    contact: str = ""
    """Contact address for questions."""
    citation: str = ""
    """How to cite the dataset."""


@runtime_checkable
class Released(Protocol):
    """An exporter that writes what the publisher states about the dataset."""

    release: ReleaseConfig
    """The section ``release`` of the configuration; set before the exporter is used."""


Exporters = Mapping[str, Exporter | CorpusExporter]

# The ports of the stages: ``context.port(ANNOTATOR)`` is an ``Annotator``.
READER: Port[CorpusReader] = Port("reader")
PAGE_TAGGER: Port[PageTagger] = Port("page_tagger")
ANNOTATOR: Port[Annotator] = Port("annotator")
ANNOTATIONS: Port[CachedAnnotator] = Port("annotations")
INDEX: Port[SearchIndex] = Port("index")
SENTENCE_SPLITTER: Port[SentenceSplitter] = Port("sentence_splitter")
LANGUAGE_DETECTOR: Port[LanguageDetector] = Port("language_detector")
EVENT_SCORER: Port[EventScorer] = Port("event_scorer")
SENTENCE_ENCODER: Port[TextEncoder] = Port("sentence_encoder")
FAULTY_PROBLEMS: Port[FaultyProblems] = Port("faulty_problems")
OMITTED_PROBLEMS: Port[FaultyProblems] = Port("omitted_problems")
LANGUAGE_MODEL: Port[LanguageModel] = Port("language_model")
SOLVER: Port[Solver] = Port("solver")
EXPORTERS: Port[Exporters] = Port("exporters")
