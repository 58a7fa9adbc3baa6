"""Fakes of all ports, for unit tests.

A fake implements the port's contract by the simplest means: a dictionary of names, a scan of all articles, bigram counts,
SciPy's solvers. The tests in ``tests/contract`` run on both the fakes and the adapters.
"""

import json
import math
import re
from collections import Counter
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby, pairwise
from string import ascii_lowercase
from typing import ClassVar

import numpy as np

from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.ports import Block, Hit, OnDevice, Relaxation
from wdw_build.records import PERSON, Annotation, Mention, TaggedName, Tokens, pack_spans
from wdw_build.text.tokens import search_phrases, search_words

# --- Annotator -------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"['’]s\b|\w+(?:[-'’](?!s\b)\w+)*|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“])|\n\n+")


def tokenise(sentence):
    """The tokens of one sentence, with their offsets."""
    found = list(_TOKEN.finditer(sentence))
    words, spans = (tuple(map(part, found)) for part in (re.Match.group, re.Match.span))
    return Tokens(text=sentence, words=words, spans=spans)


def split_sentences(text):
    """(offset, sentence) for every sentence. Sentences end at a full stop before a capital, and at blank lines."""
    start, found = 0, []
    for end, after in [*((match.start(), match.end()) for match in _SENTENCE_END.finditer(text)), (len(text), 0)]:
        piece = text[start:end]
        if piece.strip():
            found.append((start + len(piece) - len(piece.lstrip()), piece.strip()))
        start = after
    return found


def _runs_of_capitals(words):
    """Two or more capitalised words in a row."""
    spans, end = [], 0
    for is_capital, run in groupby(words, key=lambda word: word[:1].isupper()):
        start, end = end, end + len(list(run))
        if is_capital and end - start > 1:
            spans.append((start, end))
    return tuple(spans)


class RuleAnnotator:
    """``Annotator``: the persons are the names in a dictionary, longest first; without one, runs of capitalised words.

    ``trees`` maps sentences to trees. Other sentences get a flat tree with a noun phrase for each person.
    """

    identity = "rules 1"
    device = "cpu"

    def take_devices(self):
        return frozenset({self.device})

    def __init__(self, names=(), trees=None):
        self._names = sorted((tuple(tokenise(name).words) for name in names), key=len, reverse=True)
        self._trees = dict(trees or {})
        self.parsed, self.annotated = [], Counter()

    def first_sentences(self, paragraphs):
        firsts = [split_sentences(paragraph)[:1] for paragraph in paragraphs]
        return [tokenise(first[0][1]) if first else None for first in firsts]

    def names(self, sentences):
        return [tuple(TaggedName(*span, PERSON) for span in self._persons(sentence.words)) for sentence in sentences]

    def _persons(self, words):
        if not self._names:
            return _runs_of_capitals(words)
        spans, at = [], 0
        while at < len(words):
            size = next((len(name) for name in self._names if tuple(words[at : at + len(name)]) == name), 0)
            if size:
                spans.append((at, at + size))
            at += max(1, size)
        return tuple(spans)

    def trees(self, sentences):
        self.parsed += [sentence.text for sentence in sentences]
        return [self._trees.get(sentence.text) or self._flat(sentence.words) for sentence in sentences]

    def _flat(self, words):
        persons = dict(self._persons(words))
        parts, at = [], 0
        while at < len(words):
            end = persons.get(at)
            if end:
                parts.append("(NP " + " ".join(f"(NNP {word})" for word in words[at:end]) + ")")
            else:
                tag = "CC" if words[at] == "and" else "VBD" if words[at].islower() else "XX"
                parts.append(f"({tag} {_bracket(words[at])})")
            at = end or at + 1
        return f"(ROOT (S {' '.join(parts)}))"

    def annotate(self, texts):
        return [self._annotation(name, text) for name, text in texts]

    def _annotation(self, name, text):
        self.annotated[name] += 1
        found = [(offset, tokenise(sentence)) for offset, sentence in split_sentences(text)]
        mentions = []
        for offset, tokens in found:
            for start, end in self._persons(tokens.words):
                low, high = offset + tokens.spans[start][0], offset + tokens.spans[end - 1][1]
                mentions.append(Mention(start=low, end=high, text=text[low:high]))
        count = sum(len(tokens.words) for _, tokens in found)
        layout = pack_spans((offset + start, offset + end) for offset, tokens in found for start, end in tokens.spans)
        return Annotation(id=name, persons=tuple(mentions), tokens=count, sentences=len(found), token_layout=layout)


def _bracket(word):
    return {"(": "-LRB-", ")": "-RRB-"}.get(word, word)


def leaves(tree):
    """The sentence of a bracketed tree: its words, joined by spaces."""
    return " ".join(re.findall(r"\([^\s()]+ ([^\s()]+)\)", tree))


class MemoryAnnotations:
    """``Annotations`` in a dictionary."""

    def __init__(self, annotator):
        self._annotator, self._kept = annotator, {}
        self.identity = annotator.identity

    def annotate(self, articles):
        missing = {article.id: article.text for article in articles if article.id not in self._kept}
        self._kept.update((note.id, note) for note in self._annotator.annotate(list(missing.items())))
        return {article.id: self._kept[article.id] for article in articles}

    def __getattr__(self, name):
        # What is read of sentences, and the devices, are the annotator's. A copy without state is being unpickled.
        if "_annotator" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self._annotator, name)

    def flush(self):
        """Everything is in the dictionary already."""


# --- SearchIndex -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def index_words(text):
    """The words of a text as in the index of names."""
    return tuple(search_words(text).split())


# What was read last is asked for again by the next question.
_parsed = lru_cache(maxsize=2)(json.loads)


def holds_phrase(words, phrase):
    """Whether a text contains the words of a phrase, in order and without a gap."""
    return bool(phrase) and f" {' '.join(phrase)} " in f" {' '.join(words)} "


class ScanIndex:
    """``SearchIndex`` that scans a JSON file of all articles; the score is the number of shared words."""

    identity = "scan 1"

    @contextmanager
    def writer(self, folder):
        articles = {}

        def add(article, day, text, keywords=()):
            articles[article] = [day, text, list(keywords)]

        yield add
        self._write(folder, articles)

    def join(self, folders, folder):
        self._write(folder, {name: article for part in folders for name, article in self._read(part).items()})

    @staticmethod
    def _write(folder, articles):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "articles.json").write_text(json.dumps(articles), encoding="utf-8")

    @staticmethod
    def _read(folder):
        return _parsed((folder / "articles.json").read_bytes())

    def search(self, folder, *, sentence, names, day, windows, exclude, limit, keywords=(), require_keyword=False):
        articles = self._read(folder)
        phrases = [phrase.split() for name in names for phrase in search_phrases(name)]
        asked = set(index_words(sentence))
        for window in windows:
            hits = []
            for article, (its_day, text, its_keywords) in articles.items():
                if article == exclude or abs(its_day - day) > window:
                    continue
                words = index_words(text)
                if any(holds_phrase(words, phrase) for phrase in phrases):
                    has_keyword = not set(keywords).isdisjoint(its_keywords)
                    if has_keyword or not require_keyword:
                        hits.append(Hit(article, float(len(asked & set(words))), its_day, has_keyword))
            yield sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


# --- EventScorer -----------------------------------------------------------------------------------------------------


class FakePageTagger:
    """``PageTagger``: words in capitals are page text, and a sentence starts at each article."""

    identity = "capitals 1"

    def probabilities(self, texts):
        story, page = (1.0, 0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0, 0.0)
        return [[page if word.isupper() and len(word) > 1 else story for word in words] for words in texts]

    def starts(self, texts):
        return [[8.0 if word in {"A", "The"} else -8.0 for word in words] for words in texts]


class FakeEncoder:
    """Vectors of how often each letter occurs: texts with the same words are alike."""

    identity = "letters"

    def vectors(self, texts, exact=False):
        counts = [np.array([1.0 + text.lower().count(letter) for letter in ascii_lowercase]) for text in texts]
        vectors = [one / np.linalg.norm(one) for one in counts]
        return vectors if exact else [one.astype(np.float32) for one in vectors]


class FakeEventScorer:
    """``EventScorer``: the share of an article's first sentence that the question contains, lower with every day between.

    ``given`` maps ids to scores that replace it; ``asked`` lists the ids of every call.
    """

    identity = "shared words 1"

    def __init__(self, given=None):
        self._given, self.asked = given or {}, []

    def score(self, questions, frequencies):
        self.asked += ([one.id for one in question.candidates] for question in questions)
        return [[self._score(question, one) for one in question.candidates] for question in questions]

    def _score(self, question, candidate):
        if candidate.id in self._given:
            return self._given[candidate.id]
        wanted = set(index_words(question.sentence))
        held = {word for text in candidate.sentences[:1] for word in index_words(text)}
        return round(len(wanted & held) / max(1, len(held)) / (1 + abs(candidate.day - question.article.day) / 7), 3)


# --- LanguageModel ---------------------------------------------------------------------------------------------------


class BigramModel:
    """``LanguageModel`` of word bigrams, with start and end symbols, and 0.1 added to each count."""

    identity = "bigrams 1"
    _ADDED = 0.1

    def estimate(self, text, folder):
        folder.mkdir(parents=True, exist_ok=True)
        pairs = Counter()
        for line in b"".join(text).decode().split("\n")[:-1]:
            pairs.update(f"{one} {other}" for one, other in _pairs(line.split(" ")))
        (folder / "bigrams.json").write_text(json.dumps(pairs), encoding="utf-8")

    def score(self, folder, sentence):
        pairs, totals, words = self._counts((folder / "bigrams.json").read_bytes())
        return sum(
            math.log10((pairs.get(f"{one} {other}", 0) + self._ADDED) / (totals[one] + self._ADDED * words))
            for one, other in _pairs(sentence)
        )

    @staticmethod
    @lru_cache(maxsize=1)
    def _counts(content):
        """The counts of pairs and of their first words, and the number of words with one that is unknown."""
        pairs, totals = json.loads(content), Counter()
        for pair, count in pairs.items():
            totals[pair.split(" ")[0]] += count
        return pairs, totals, len({word for pair in pairs for word in pair.split(" ")}) + 1


def _pairs(sentence):
    return list(pairwise(["<s>", *sentence, "</s>"]))


# --- Adversaries, Solver ---------------------------------------------------------------------------------------------


class FakeAdversaries:
    """Adversaries that always choose the last choice; ``names`` says which there are.

    ``folds``, ``training`` and ``seeds`` list the folds, the problems to train on and the seed of every call; ``problems``
    are those last read.
    """

    identity = "last choice 1"

    def __init__(self, *names):
        self.names = names
        self.folds, self.training, self.seeds, self.problems = [], [], [], []

    def scores(self, name, problems, content, folds, seed, progress, training=None):
        self.seeds.append(seed)
        self.folds.append(dict(folds))
        self.training.append(training)
        self.problems = list(problems)
        return {one.id: self.choose(one) for one in problems}

    def choose(self, labelled):
        """The scores for the choices of a problem."""
        return tuple(map(float, range(len(labelled.problem.choices))))


class ScipySolver:
    """``Solver`` by SciPy, to a gap of 0.5% or for 500 nodes.

    ``asked`` lists the number of variables of every integer program.
    """

    identity = "scipy 1"

    def __init__(self):
        self.asked = []

    def relax(self, program):
        from scipy.optimize import linprog

        if not len(program.objective):
            return Relaxation(0.0, program.objective, program.objective)
        rows, high = _upper_rows(program)
        found = linprog(-program.objective, rows, high, bounds=(0, 1))
        return Relaxation(-found.fun, found.x, -abs(found.lower.marginals + found.upper.marginals))

    def solve_integer(self, program, fixed):
        from scipy.optimize import Bounds, LinearConstraint, milp

        self.asked.append(int((fixed < 0).sum()))
        if not len(program.objective):
            meets = (program.low <= 0).all() and (program.high >= 0).all()
            return program.objective > 0 if meets else None
        rows = [LinearConstraint(program.matrix, program.low, program.high)] if len(program.low) else []
        bounds, limits = Bounds(fixed == 1, fixed != 0), {"mip_rel_gap": 0.005, "node_limit": 500}
        found = milp(-program.objective, integrality=1, bounds=bounds, constraints=rows, options=limits)
        return None if found.x is None else found.x > 1 / 2


def _upper_rows(program):
    """The rows as a matrix and its upper bounds; none if the program has no row."""
    rows, below = program.matrix.toarray(), np.isfinite(program.low)
    rows, high = np.vstack([rows, -rows[below]]), np.concatenate([program.high, -program.low[below]])
    return (rows, high) if len(high) else (None, None)


# --- CorpusReader, Exporter, PortSource ------------------------------------------------------------------------------


class FakeLanguageDetector:
    """``LanguageDetector`` that takes a text with the word "und" for German."""

    identity = "language 1"

    def english(self, text):
        return 0.0 if " und " in text else 1.0


class ListReader:
    """``CorpusReader`` of a list."""

    def __init__(self, articles, identity="list 1"):
        self._articles, self.identity = list(articles), identity

    def blocks(self):
        return [Block()]

    def read(self, block=None):
        yield from self._articles

    def size(self):
        return len(self._articles)

    def file_notes(self):
        return []


class ListExporter:
    """``Exporter`` that writes a file of ids for each split."""

    identity = "list 1"
    FILES: ClassVar = {
        ("strict", "train"): ("list/train.txt", "list/train.relaxed.txt"),
        ("relaxed", "train"): ("list/train.relaxed.txt",),
        ("strict", "validation"): ("list/validation.txt",),
        ("strict", "test"): ("list/test.txt",),
    }

    def write(self, folder, problems):
        written = {name: [] for names in self.FILES.values() for name in names}
        for problem, placed in problems:
            if (placed.level, placed.split) not in self.FILES:
                raise ValueError(f"{placed.id}: no file for {placed.level} in {placed.split}")
            for name in self.FILES[placed.level, placed.split]:
                written[name].append(problem.id)
        (folder / "list").mkdir(parents=True, exist_ok=True)
        for name, ids in written.items():
            (folder / name).write_text("".join(f"{one}\n" for one in ids), encoding="utf-8")
        return written


class FakePorts:
    """``PortSource`` of given backends."""

    def __init__(self, **backends):
        # The real ones: they are quick, and have no other dependency.
        self._backends = {
            "sentence_splitter": PunktSplitter(),
            "page_tagger": FakePageTagger(),
            "language_detector": FakeLanguageDetector(),
            **dict.fromkeys(("faulty_problems", "omitted_problems"), FaultyProblemFiles(())),
            **backends,
        }
        if "annotator" in backends:
            self._backends.setdefault("annotations", MemoryAnnotations(backends["annotator"]))

    def get(self, port):
        return self._backends[port]

    def identity(self, port):
        backend = self._backends[port]
        return "; ".join(one.identity for one in backend.values()) if isinstance(backend, dict) else backend.identity

    def check(self, port):
        self.identity(port)

    def preload(self, ports):
        pass

    def take_devices(self, ports):
        own = [self._backends.get(port) for port in ports]
        return tuple(sorted({device for one in own if isinstance(one, OnDevice) for device in one.take_devices()}))
