"""Marks page text, captions, bylines and headings that a trained tagger finds in what other finders left of a text.

The tagger reads the lines that the first look (``first_look``) does not clear, with some words before and after, and with marks
that say where a line is and whether its words occur elsewhere. A line is cut as a whole, or most of it, if both together find it
nearly certain that it is no part of the story, and no words in a row are; else the words that the tagger alone finds likely: at
least four in a row at its start or its end, or more within it.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.pages.first_look import Line, judged
from wdw_build.text.pages.marks import BYLINE, CAPTION, HEADING, PAGE, MarkedSpan
from wdw_build.text.pages.profile import line_key
from wdw_build.text.sentences.boundaries import STARTERS, goes_on, last_word, next_word

# The kinds of words that the tagger knows; all but the first are of no story. And the kinds of marks for them.
KINDS = ("story", "page", "caption", "byline", "heading")
_MARKS = (PAGE, CAPTION, BYLINE, HEADING)
# The tagger reads so many words at once. They have fewer than 256 word pieces, but for odd texts.
SIZE = 160
# It reads such marks before a line: the first of a paragraph, the first and the last ones of a text, and those of whose three words
# in a row such a share occurs in another line, or in the title.
PARAGRAPH, FIRST, LAST, REPEATED, TITLED = "¶", "«", "»", "§", "†"
_FIRST_LINES, _LAST_LINES, _REPEATED_SHARE = 2, 3, 0.3
WORD = re.compile(r"\w+(?:['’.,]\w+)*|[^\w\s]")
# Words that are read before and after those whose scores count.
_OVERLAP = 20
# Words before and after a line that is read.
_CONTEXT = 6
# Log odds from which on a line is read by the tagger. What was chosen on which sources: docs/development/page-text.md.
GATE = -1.8
# Of the log odds of the tagger, those of the first look, 1, and of a line that its source repeats.
WEIGHTS = (0.7, 0.2, 0.3, 1.5)
LEAST, LEAST_OF_WORDS, FEWEST_WORDS = 0.92, 0.8, 4
# Such a share of a line, and what leaves only a word or two of it, is cut as the whole line is.
MOST_OF_A_LINE = 0.75
# A line is not cut as a whole with so many words in a row that are likely to be of the story. Fewer words within a sentence are
# mostly a link that is part of it.
FEWEST_OF_STORY, FEWEST_INSIDE = 3, 8
# The fewest words of a start or an end that is likely as a whole, the least sum of their log odds, and how sure one word can be.
FEWEST_AT_ENDS, LEAST_ODDS, MOST_OF_A_WORD = 3, 8.0, 0.05
_DECIMALS = 2
_LETTERS = re.compile(r"\w+")
# The story after page text: a capital, which a link may have lost its space before ("click here)The mayor").
_STORY = re.compile(r"\s+[\"“‘'(]?[A-Z0-9]|(?<=[.!?)\]])[A-Z][a-z]")
_STOPPED = re.compile(r"[.!?…:;][\"”’')\]]*$")
_EXTREME = 0.005


class Word(NamedTuple):
    """A word that is read: its line (-1 for a mark), and its place in the paragraph."""

    text: str
    line: int
    start: int = 0
    end: int = 0


# A word with the probabilities of its kinds.
ScoredWord = tuple[Word, tuple[float, ...]]


class Reading:
    """The lines of a text, and the words of it that the tagger reads, in windows.

    ``title``: that of the article; may be empty. ``gate``: the log odds by the first look from which on a line is read.
    ``repeated``: the lines that its source repeats (``Sources.repeated``), which are read, too.
    """

    def __init__(
        self, paragraphs: Sequence[str], title: str, gate: float = GATE, repeated: Set[str] = frozenset()
    ) -> None:
        self._paragraphs, self.lines = paragraphs, judged(paragraphs)
        self._by_source = [
            bool(repeated) and line_key(paragraphs[line.paragraph][line.start : line.end]) in repeated
            for line in self.lines
        ]
        pairs = zip(self.lines, self._by_source, strict=True)
        self.is_read = [line.odds > gate or is_repeated for line, is_repeated in pairs]
        # Most sentences of questions, and many articles, have no line that is read.
        marks = marks_of_lines(paragraphs, self.lines, title) if any(self.is_read) else []
        self._windows = [
            words
            for part in parts(self.is_read)
            for words in _windows(words_to_read(paragraphs, self.lines, marks, part, self.is_read))
        ]

    @property
    def texts(self) -> list[list[str]]:
        """The words of each window."""
        return [[word.text for word in words] for words, _ in self._windows]

    def words(self, scores: Sequence[Sequence[tuple[float, ...]]]) -> dict[int, list[ScoredWord]]:
        """The words of each line that was read with the probabilities of their kinds, from those of the windows."""
        by_line: dict[int, list[ScoredWord]] = {}
        for (words, counted), of_words in zip(self._windows, scores, strict=True):
            for number in counted:
                if words[number].line >= 0:
                    by_line.setdefault(words[number].line, []).append((words[number], of_words[number]))
        return by_line

    def spans(self, scores: Sequence[Sequence[tuple[float, ...]]]) -> list[MarkedSpan]:
        """What is no part of the story, from the probabilities of ``KINDS`` for each word of ``texts``.

        Nothing, if no whole line would be left: whether a document has a story is its kind.
        """
        spans = list(self._spans(scores))
        touched = {(line.paragraph, line.start) for line in self.lines if any(_touches(line, span) for span in spans)}
        return spans if len(touched) < len(self.lines) else []

    def _spans(self, scores: Sequence[Sequence[tuple[float, ...]]]) -> Iterator[MarkedSpan]:
        for number, words in sorted(self.words(scores).items()):
            line = self.lines[number]
            paragraph = self._paragraphs[line.paragraph]
            # A quotation is no page text, whatever it says.
            if not self.is_read[number] or not _closes_quotations(paragraph[line.start : line.end]):
                continue
            by_source = self._by_source[number]
            score = probability(line, [kinds for _, kinds in words], by_source=by_source)
            if score >= LEAST and (by_source or not _has_story(words)):
                yield _span(line.paragraph, line.start, line.end, [kinds for _, kinds in words], score)
                continue
            spans = list(_in_rows(paragraph, line, words)) or list(_at_ends(paragraph, line, words))
            leaves_a_piece = bool(spans) and _leaves_a_piece(paragraph, line, spans)
            if score < LEAST and (leaves_a_piece or _are_most_of(line, spans)):
                continue
            if leaves_a_piece:
                yield spans[0]._replace(start=line.start, end=line.end)
            else:
                yield from spans


def marks_of_lines(paragraphs: Sequence[str], lines: Sequence[Line], title: str) -> list[list[str]]:
    """The marks that the tagger reads before each line of a text."""
    threes = [_threes(paragraphs[line.paragraph][line.start : line.end]) for line in lines]
    of_title = _threes(title)
    numbers = Counter(itertools.chain.from_iterable(threes))
    marks = list[list[str]]()
    for number, (line, own) in enumerate(zip(lines, threes, strict=True)):
        least = max(1, _REPEATED_SHARE * len(own))
        flags = {
            PARAGRAPH: not number or lines[number - 1].paragraph != line.paragraph,
            FIRST: number < _FIRST_LINES,
            LAST: number >= max(_FIRST_LINES, len(lines) - _LAST_LINES),
            REPEATED: sum(numbers[three] > 1 for three in own) >= least,
            TITLED: len(own & of_title) >= least,
        }
        marks.append([mark for mark, is_set in flags.items() if is_set])
    return marks


def _threes(text: str) -> set[tuple[str, ...]]:
    """Three words in a row of a text."""
    words = [word.lower() for word in _LETTERS.findall(text)]
    return set(zip(words, words[1:], words[2:], strict=False))


Scores = Sequence[Sequence[tuple[float, ...]]]
Probabilities = Callable[[Sequence[Sequence[str]]], Scores]


def scores_of(readings: Sequence[Reading], probabilities: Probabilities) -> list[Scores]:
    """The scores of the windows of each reading; all are read together.

    ``probabilities``: those of the port ``PageTagger``.
    """
    scores = iter(probabilities([words for reading in readings for words in reading.texts]))
    return [[next(scores) for _ in reading.texts] for reading in readings]


def _leaves_a_piece(paragraph: str, line: Line, cut: Sequence[MarkedSpan]) -> bool:
    """Whether a word or two without a stop are left of a line: a piece of what was cut."""
    ends = [line.start, *(span.end for span in cut)]
    rest = " ".join(
        paragraph[start:end] for start, end in zip(ends, [*(span.start for span in cut), line.end], strict=True)
    )
    return len(rest.split()) < FEWEST_OF_STORY and not _STOPPED.search(rest.rstrip())


def _are_most_of(line: Line, cut: Sequence[MarkedSpan]) -> bool:
    """Whether little more than some parts is in a line."""
    return sum(span.end - span.start for span in cut) >= MOST_OF_A_LINE * (line.end - line.start)


def _has_story(words: Sequence[ScoredWord]) -> bool:
    """Whether some words in a row are likely to be of the story."""
    rows = itertools.groupby(words, key=lambda pair: pair[1][0] >= LEAST_OF_WORDS)
    return any(is_story and len(list(row)) >= FEWEST_OF_STORY for is_story, row in rows)


def _closes_quotations(text: str) -> bool:
    """Whether no quotation goes on before or after a text."""
    return text.count('"') % 2 == 0 and text.count("“") == text.count("”")


def _touches(line: Line, span: MarkedSpan) -> bool:
    return line.paragraph == span.paragraph and line.start < span.end and span.start < line.end


def probability(line: Line, kinds: Sequence[tuple[float, ...]], *, by_source: bool) -> float:
    """The probability that a line is no part of the story, from those of its words, rounded.

    ``by_source``: its source repeats it.
    """
    mean = sum(1 - of_word[0] for of_word in kinds) / len(kinds)
    odds = math.log(max(_EXTREME, mean) / max(_EXTREME, 1 - mean))
    features = (odds, line.odds, 1.0, float(by_source))
    return rounded_probability(math.fsum(weight * value for weight, value in zip(WEIGHTS, features, strict=True)))


def _span(paragraph: int, start: int, end: int, kinds: Sequence[tuple[float, ...]], score: float) -> MarkedSpan:
    totals = [round(sum(of_word[number] for of_word in kinds), _DECIMALS) for number in range(1, len(KINDS))]
    return MarkedSpan(paragraph, start, end, _MARKS[totals.index(max(totals))], "model", score)


def _in_rows(paragraph: str, line: Line, words: Sequence[ScoredWord]) -> Iterator[MarkedSpan]:
    """The words in a row that are likely to be no part of the story, with what is glued to them.

    They are before or after a sentence, or so many that they are no link in it.
    """
    for is_likely, row in itertools.groupby(words, key=lambda pair: 1 - pair[1][0] >= LEAST_OF_WORDS):
        several = list(row)
        if not is_likely or len(several) < FEWEST_WORDS:
            continue
        start = several[0][0].start - len(last_word(paragraph[line.start : several[0][0].start]))
        end = _end_of_glued(paragraph, several[-1][0].end, line.end)
        if start == line.start and end < line.end and not _may_end(paragraph, line, end):
            several = _until_story(paragraph, line, several)
            end = several[-1][0].end if several else line.start
        is_outside = end == line.end or start == line.start
        if len(several) >= (FEWEST_WORDS if is_outside else FEWEST_INSIDE):
            kinds = [of_word for _, of_word in several]
            yield _span(line.paragraph, start, end, kinds, round(min(1 - of_word[0] for of_word in kinds), _DECIMALS))


def _until_story(paragraph: str, line: Line, words: Sequence[ScoredWord]) -> list[ScoredWord]:
    """The first words of a line to the last place among them where the story may begin, but not within a name."""
    for number in range(len(words) - 1, 0, -1):
        last, following = words[number - 1][0], words[number][0]
        is_name = last.text[0].isupper() and following.text.casefold() not in STARTERS
        if not is_name and _may_end(paragraph, line, last.end):
            return list(words[:number])
    return []


def _at_ends(paragraph: str, line: Line, words: Sequence[ScoredWord]) -> Iterator[MarkedSpan]:
    """The start and the end of a line whose words are likely together, if not one by one, to be no part of the story."""
    odds = [log_odds(of_word) for _, of_word in words]
    starts = [0.0, *itertools.accumulate(odds)]
    begins = [at for at in range(1, len(words)) if odds[at] < 0 and _may_end(paragraph, line, words[at - 1][0].end)]
    first = max(begins, key=starts.__getitem__, default=0)
    if not _are_likely(first, starts[first]):
        first = 0
    ends = [0.0, *itertools.accumulate(reversed(odds))]
    last = max(range(len(words) - first), key=ends.__getitem__)
    if not _are_likely(last, ends[last]):
        last = 0
    if first:
        kinds = [of_word for _, of_word in words[:first]]
        yield _span(
            line.paragraph, line.start, words[first - 1][0].end, kinds, rounded_probability(starts[first] / first)
        )
    if last:
        kinds = [of_word for _, of_word in words[-last:]]
        start = words[-last][0].start
        start -= len(last_word(paragraph[line.start : start]))
        yield _span(line.paragraph, start, line.end, kinds, rounded_probability(ends[last] / last))


def _may_end(paragraph: str, line: Line, end: int) -> bool:
    """Whether the start of a line may end there, and the story begin: not after "arbitration with" or "the L.A."."""
    last = last_word(paragraph[line.start : end])
    return (
        bool(_STORY.match(paragraph, end)) and last not in STOP_WORDS and not goes_on(last, next_word(paragraph, end))
    )


def _are_likely(number: int, odds: float) -> bool:
    """Whether so many words with this sum of log odds are likely together to be no part of the story."""
    return number >= FEWEST_AT_ENDS and odds >= LEAST_ODDS


def log_odds(kinds: Sequence[float]) -> float:
    """The log odds that a word is no part of the story; one word alone says only so much."""
    likely = min(1 - MOST_OF_A_WORD, max(MOST_OF_A_WORD, kinds[0]))
    return math.log((1 - likely) / likely)


def rounded_probability(odds: float) -> float:
    """The probability with these log odds, rounded."""
    return round(1 / (1 + math.exp(-odds)), _DECIMALS)


def _end_of_glued(paragraph: str, start: int, end: int) -> int:
    """Where the next space is, or the story; an address ("https://t.co/3f") has several words of the tagger."""
    at = start
    while at < end and not paragraph[at].isspace() and not _STORY.match(paragraph, at, end):
        at += 1
    return at


def parts(is_read: Sequence[bool]) -> Iterator[range]:
    """The lines to read, each with a line before and after it, as ranges."""
    around = [any(is_read[max(0, number - 1) : number + 2]) for number in range(len(is_read))]
    for flag, group in itertools.groupby(range(len(around)), key=around.__getitem__):
        if flag:
            numbers = list(group)
            yield range(numbers[0], numbers[-1] + 1)


def words_to_read(
    paragraphs: Sequence[str],
    lines: Sequence[Line],
    marks: Sequence[Sequence[str]],
    part: range,
    is_read: Sequence[bool],
) -> list[Word]:
    """The words of the lines that are read; of the others, those next to these."""
    words: list[Word] = []
    for number in part:
        line = lines[number]
        own = [
            Word(match[0], number, match.start(), match.end())
            for match in WORD.finditer(paragraphs[line.paragraph], line.start, line.end)
        ]
        if not is_read[number]:
            after = _CONTEXT if number > part.start and is_read[number - 1] else 0
            before = _CONTEXT if number + 1 < part.stop and is_read[number + 1] else 0
            own = [word for at, word in enumerate(own) if at < after or at >= len(own) - before]
        words += [Word(mark, -1) for mark in marks[number]]
        words += own
    return words


def _windows(words: list[Word]) -> Iterator[tuple[list[Word], range]]:
    """Windows of the words, and the numbers of those whose scores count in each; every word counts in one window."""
    step = SIZE - 2 * _OVERLAP
    starts = range(0, max(1, len(words) - 2 * _OVERLAP), step)
    for start in starts:
        window = words[start : start + SIZE]
        yield window, range(_OVERLAP if start else 0, len(window) if start == starts[-1] else step + _OVERLAP)
