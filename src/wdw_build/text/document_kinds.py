"""Decides what kind of document a text is: a story, or one of the others that news corpora hold.

A multinomial logistic model weighs features of a text: its size, the form of its paragraphs, its words, and its title.
Every feature is a number, mostly between 0 and 1, and none decides alone. Of a long text, the first and last paragraphs are read,
so that a page of 90,000 words takes no longer than a long story.

``scripts/fit_document_kinds.py`` fits the weights to labelled documents (docs/development/document-kinds.md). The model knows
no other language than English: of a text with few function words, a ``LanguageDetector`` says whether it is English.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from wdw_build.core.rounding import DECIMALS
from wdw_build.records import RawArticle
from wdw_build.text.lexicon import MONTH, STOP_WORDS, WEEKDAY, phrases, word_list
from wdw_build.text.pages.datelines import split_dateline

Features = dict[str, float]

# Paragraphs that are read, and characters of all of them.
_FIRST, _LAST, _CHARACTERS = 40, 20, 5_000
_WORD = re.compile(r"\w+")
# A clock time ("10.42am", "[10:42]", "1042 GMT") and a date ("June 16", "29 September 2011", "11/19/16").
_CLOCK = (
    r"(?:\d{1,2}[.:]\d{2}(?: ?(?:[AaPp]\.?[Mm]\b\.?|[A-Z]{2,4}\b))?|\d{1,2} ?[AaPp]\.?[Mm]\b\.?|\d{4} (?:GMT|hrs)\b)"
)
_DATE = rf"(?:{MONTH} \d{{1,2}}\b(?:,? \d{{4}})?|\d{{1,2}} {MONTH}(?: \d{{4}})?|\d{{1,2}}/\d{{1,2}}/\d{{2,4}})"
_DAY = rf"(?:{WEEKDAY},? )?"
_TIME_FIRST = re.compile(rf"\W{{0,3}}(?:(?:Updated|Posted|At|On)\W+(?:at )?)?(?:{_CLOCK}|{_DAY}{_DATE})")
_ENTRY = re.compile(rf"\W{{0,3}}(?:{_DAY}{_DATE}|{_CLOCK})[^\w.]{{0,3}}(?:[-–—:|\]]|$)")
_TIMES = re.compile(r"\d[.:/]\d\d\b")
_NAME = r"[A-Z][\w.'’-]*"
# "DALIA HESK, host: ", "(MS. HESK): ", "Dalia Hesk (on the phone): ", "Q: ", "Q. ", but not "St. " or "J. ".
_SPEAKER = re.compile(
    r"[\"“]?(?:\(?[A-Z][A-Z.'’ -]{2,40}(?:, [^:]{2,40})?"
    rf"|{_NAME}(?: {_NAME}){{0,3}}(?:, [a-z]+| \([^)]{{2,40}}\))?|[QA])\s?[:.](?<![a-z]\.)(?:\s|$)"
)
_INNER_SPEAKER = re.compile(r"[.?!\"”)] (?:[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]+){0,3}|[QA]): ")
_ITEM = re.compile(r"\s*(?:[•●▪◦*·–—-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|#\d)\s*\S")
_LABEL = re.compile(r"[A-Z][^.:!?]{1,50}:(?!//)|[^.:!?]{3,60} [–—-] [^.!?]{3,90}$")
_STOP = re.compile(r"[.!?…][\"'”’)\]]*\s*$")
_LINKS = ("http", "www.", "@", ".com")
_SAID = word_list("kind_saying")
_VISITOR = frozenset("you your yours".split())
_WRITER = frozenset("i my me we our us".split())
_PHRASES = {
    name: tuple(f" {phrase} " for phrase in phrases(f"kind_{name}")) for name in ("page", "media", "speech", "live")
}
_SINGLE = {
    name: frozenset(phrase.strip() for phrase in phrases if " " not in phrase.strip())
    for name, phrases in _PHRASES.items()
}
_PRESENT = tuple(f" {word} " for word in phrases("kind_present"))
# Words of a long paragraph, and of a text in which words of recordings and of pages say what it is.
_LONG, _SHORT_TEXT = 90, 300
# Paragraphs below which one that ends in a question says little.
_SEVERAL = 5
# Words of which the distinct ones are counted.
_BEGUN = 300
# Words of the opening and of the ending, in which phrases are searched for.
_OPENING, _ENDING = 50, 35

STORY = "story"
KINDS: Mapping[str, str] = {
    STORY: "a report, feature or comment in running text",
    "brief": "a caption or a blurb, of a video, of pictures or of another page",
    "running": "a running report: entries by time or day",
    "transcript": "an interview, a speech or a letter in full",
    "list": "a list, such as results, names or prices",
    "teasers": "a page of headlines or teasers of other texts",
    "none": "no article: an error, a question for consent, an advertisement, a page without its text",
    "language": "a text in another language than English",
}
"""The kinds of documents, and their meanings."""
# Of 100 words of an English text, at least 31 are function words, of one in another language at most 21, of a list about 20.
# A table has too few words to say.
_ENGLISH, _FIGURES = 0.25, 0.2
# An English text is never lost: it must be as unlikely as this, and long enough for the detector.
_LEAST_ENGLISH, _FEWEST_CHARACTERS, _READ_FOR_LANGUAGE = 0.02, 60, 1000
# A document is a story unless the probability of that is lower.
LEAST_STORY = 0.2


def _share(number: float, of: float) -> float:
    return number / of if of else 0.0


def _number(counts: Counter[str], words: frozenset[str]) -> int:
    return sum(counts[word] for word in counts.keys() & words)


def features(title: str, paragraphs: Sequence[str], dateline: str = "") -> Features:
    """What the model reads of a document; ``dateline`` is that of the reader."""
    paragraphs = [text for text in paragraphs if text.strip()]
    size = sum(text.count(" ") + 1 for text in paragraphs)
    texts = _read(paragraphs)
    text = "\n".join(texts)
    words = _WORD.findall(text)
    counts = Counter(map(str.lower, words))
    return {
        **_of_size(size, len(paragraphs)),
        **_of_paragraphs(texts),
        **_of_words(words, counts, text),
        **_of_phrases(title, words, counts, max(0.0, 1 - size / _SHORT_TEXT)),
        "dateline": float(bool(dateline) or bool(paragraphs and split_dateline(paragraphs[0][:400])[0])),
    }


def _read(paragraphs: Sequence[str]) -> list[str]:
    """The first and last paragraphs, as far as they have the characters that are read."""
    chosen = [*paragraphs[:_FIRST], *paragraphs[max(_FIRST, len(paragraphs) - _LAST) :]]
    texts, left = list[str](), _CHARACTERS
    for text in chosen:
        if left <= 0:
            break
        texts.append(text[:left])
        left -= len(text)
    return texts


def _of_size(words: int, paragraphs: int) -> Features:
    return {
        "length": math.log1p(words) / 7,
        "under 30 words": max(0.0, 1 - words / 30),
        "under 60 words": max(0.0, 1 - words / 60),
        "under 120 words": max(0.0, 1 - words / 120),
        "under 240 words": max(0.0, 1 - words / 240),
        "over 1500 words": math.log1p(max(0, words - 1500)) / 9,
        "paragraphs": math.log1p(paragraphs) / 4,
        "one paragraph": float(paragraphs < 2),
        "words of a paragraph": min(math.log1p(words / max(1, paragraphs)) / 5, 1.5),
        "empty": float(words < 3),
    }


def _of_paragraphs(texts: Sequence[str]) -> Features:
    number = len(texts)
    sizes = [text.count(" ") + 1 for text in texts]
    heads = Counter(tuple(text.split(None, 2)[:2]) for text in texts)
    speakers = Counter(match[0].strip(" :.") for text in texts if (match := _SPEAKER.match(text)))
    spoken = sum(count for count in speakers.values() if count > 1)
    # A long paragraph without a full stop is running text with something at its end.
    unstopped = [text for text, size in zip(texts, sizes, strict=True) if size < _LONG and not _STOP.search(text[-8:])]
    items, labels = sum(map(bool, map(_ITEM.match, texts))), sum(map(bool, map(_LABEL.match, texts)))
    times, entries = sum(map(bool, map(_TIME_FIRST.match, texts))), sum(map(bool, map(_ENTRY.match, texts)))
    return {
        "no full stop": _share(len(unstopped), number),
        "no full stop, several": _share(len(unstopped), number) * float(number > 3),
        "title case": _share(sum(_is_title_case(text) for text in unstopped), number),
        "short paragraphs": _share(sum(size < 12 for size in sizes), number),
        "long paragraphs": _share(sum(size > _LONG for size in sizes), number),
        "uneven paragraphs": _share(sum(abs(size - other) > 30 for size, other in itertools.pairwise(sizes)), number),
        "colon before the rest": float(any(text.rstrip().endswith(":") for text in texts[:4])),
        "colon at the end": _share(sum(text.rstrip().endswith(":") for text in texts), number),
        "times first": _share(times, number),
        "three times first": min(times, 6) / 6 * float(times > 2),
        "dated entries": _share(entries, number),
        "three dated entries": min(entries, 6) / 6 * float(entries > 2),
        "speakers first": _share(sum(speakers.values()), number),
        "speakers again": _share(spoken, number),
        "three speakers": float(spoken > 2),
        "items": _share(items, number),
        "three items": min(items, 10) / 10 * float(items > 2),
        "labels": _share(labels, number),
        "same beginnings": _share(sum(count for count in heads.values() if count > 1), number),
        "with a question": _share(sum("?" in text for text in texts), number),
        "ends in a question": _share(sum(text.rstrip("\"”’' ").endswith("?") for text in texts), max(number, _SEVERAL)),
        "with a quotation": _share(sum('"' in text or "“" in text for text in texts), number),
        "whole quotation": _share(sum(text[:1] in '"“‘' and text.rstrip()[-1:] in '"”’' for text in texts), number),
    }


def _is_title_case(text: str) -> bool:
    words = [word for word in text.split()[:12] if word[0].isalpha() and word.lower() not in STOP_WORDS]
    return len(words) > 1 and sum(word[0].isupper() for word in words) > 0.7 * len(words)


def _of_words(words: Sequence[str], counts: Counter[str], text: str) -> Features:
    number = len(words)
    begun = words[:_BEGUN]
    marks = text.count(".") + text.count("?") + text.count("!")
    return {
        "function words": _share(_number(counts, STOP_WORDS), number),
        "distinct words": _share(len({word.lower() for word in begun}), len(begun)),
        "figures": _share(sum(map(str.isdecimal, words)), number),
        "capitals": _share(sum(map(str.istitle, words)), number),
        "words in capitals": min(_share(sum(map(str.isupper, words)), number) * 10, 1.5),
        "reporting verbs": min(_share(_number(counts, _SAID), number) * 40, 1.5),
        "past tense": min(
            _share(sum(count for word, count in counts.items() if word.endswith("ed")), number) * 20, 1.5
        ),
        "visitor": min(_share(_number(counts, _VISITOR), number) * 30, 1.5),
        "writer": min(_share(_number(counts, _WRITER), number) * 20, 1.5),
        "question marks": _share(text.count("?"), marks),
        "exclamation marks": _share(text.count("!"), marks),
        "words of a sentence": min(_share(number, marks) / 40, 1.5),
        "quotation marks": min(_share(text.count('"') + text.count("“") + text.count("”"), number) * 20, 1.5),
        "colons": min(_share(text.count(":"), number) * 30, 1.5),
        "times": min(_share(len(_TIMES.findall(text)), number) * 40, 1.5),
        "links": min(_share(sum(map(text.count, _LINKS)), number) * 40, 1.5),
        "speakers within": min(_share(len(_INNER_SPEAKER.findall(text)), number) * 100, 1.5),
    }


def _of_phrases(title: str, words: Sequence[str], counts: Counter[str], shortness: float) -> Features:
    parts = {
        "in the title": _padded(_WORD.findall(title)),
        "at the start": _padded(words[:_OPENING]),
        "at the end": _padded(words[max(_OPENING, len(words) - _ENDING) :]),
    }
    opening = parts["at the start"]
    features: Features = {
        "title asks": float("?" in title),
        "present tense": min(sum(word in opening for word in _PRESENT), 2) / 2,
    }
    for name, known in _PHRASES.items():
        # A long story may have a video, or a form for comments.
        weight = shortness if name in ("page", "media") else 1.0
        for part, text in parts.items():
            features[f"{name} {part}"] = weight * min(sum(phrase in text for phrase in known), 3) / 3
        features[f"{name} words"] = weight * min(_share(_number(counts, _SINGLE[name]), counts.total()) * 30, 2.0)
    return features


def _padded(words: Sequence[str]) -> str:
    return f" {' '.join(words).lower()} "


class DocumentKind(NamedTuple):
    """The kind of a document, and its probability."""

    kind: str
    score: float


def kind_of(raw: RawArticle, english: Callable[[str], float]) -> DocumentKind:
    """The kind of an article; that which the reader gives, unless it is a story. An article without text stays a story.

    ``english`` returns the probability that a text is English.
    """
    text = " ".join(raw.paragraphs)[:_READ_FOR_LANGUAGE]
    if raw.kind != STORY or not text.strip():
        return DocumentKind(raw.kind, 1.0)
    values = features(raw.title, raw.paragraphs, raw.dateline)
    may_be_foreign = (
        values["function words"] < _ENGLISH and values["figures"] < _FIGURES and len(text) >= _FEWEST_CHARACTERS
    )
    if may_be_foreign and (chance := english(text)) < _LEAST_ENGLISH:
        return DocumentKind("language", round(1 - chance, DECIMALS))
    return judge(values, read_weights())


def judge(values: Features, weights: Mapping[str, Mapping[str, float]]) -> DocumentKind:
    """The kind by these weights. The sums are exact to the last digit (``fsum``), so that they are the same everywhere."""
    totals = {
        kind: math.fsum(weight * values.get(name, 1.0) for name, weight in of_kind.items())
        for kind, of_kind in weights.items()
    }
    highest = max(totals.values())
    parts = {kind: math.exp(total - highest) for kind, total in totals.items()}
    whole = math.fsum(parts.values())
    scores = {kind: round(part / whole, DECIMALS) for kind, part in parts.items()}
    kind = (
        STORY
        if scores[STORY] >= LEAST_STORY
        else max((score, name) for name, score in scores.items() if name != STORY)[1]
    )
    return DocumentKind(kind, scores[kind])


@functools.cache
def read_weights() -> dict[str, dict[str, float]]:
    """The weights of the features for each kind."""
    return tomllib.loads(files("wdw_build.text").joinpath("document_kind_weights.toml").read_text(encoding="utf-8"))
