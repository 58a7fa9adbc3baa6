"""Generates the articles of the invented wire, day by day.

An event has its own persons, place, topic and words. For some days, agencies report it with different first sentences and
bodies, file updates (the same story with small changes) and reprint each other's stories. Names and words follow Zipf's law.
Only first sentences are grammatical, and the text makes no sense.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from synthetic import words as w

AGENCIES = (
    ("NGP", "Northgate Press"),
    ("CWS", "Coastal Wire Service"),
    ("MDA", "Meridian Agency"),
    ("TLN", "Tidelands News"),
)
_START = dt.date(1994, 5, 2)
# About Gigaword's daily number of articles (9.9 million in 16 years).
MOST_PER_DAY = 1600
_LEADS = (
    "{A} told {B} on {day} that {topic} in {place} must be {done} before the {w0} {w1} of the {w2} {w3}.",
    "{A} and the {w0} {w1} of {place} {done} {topic} on {day}, hours after {B} had warned of a {w2} {w3} {w4}.",
    "A {w0} {w1} meeting of {A} with {B} over {topic} ended in {place} on {day} without a {w2} for the {w3} {w4}.",
    "{B} met {A} in {place} on {day} for talks about {topic} and the {w0} {w1} that has {w2} the {w3} {things}.",
    "The {w0} of {things} in {place} was {done} on {day}, said {A}, who blamed {B} for the {w1} {w2} in {country}.",
    "{A} accused {B} on {day} of a {w0} {w1} in {place}, where {topic} has left {things} without {w2} {w3}.",
    "{B} should resign over {side} in {place}, {A} said {day}, calling the {w0} {w1} of {things} a {w2} {w3}.",
    "In {place}, {A} won the backing of {B} on {day} for {topic}, a {w0} that {things} had called {w1} and {w2}.",
)
# One in this many first sentences names two persons and becomes a question; in Reuters-21578, one in sixty does.
LEADS_A_QUESTION = 12
_OTHER_LEADS = (
    "In {place}, {topic} {done} {things} on {day}, a {w0} {w1} of the {w2} {w3} said in a {w4} report.",
    "Officials in {place} were {done} on {day} over the {w0} {w1} of {things} and the {w2} of a {w3} {w4}.",
    "A {w0} of {things} in {country} {done} {topic} on {day} for the {w1} time since the {w2} {w3} {w4}.",
    "The {w0} {w1} in {place} fell on {day} as {things} waited for {topic} and the {w2} {w3} of {country}.",
)
_NAMED = (
    "{p}, {what}, said the {w0} was {w1} and that the {w2} of {place} would {w3} the {w4} by {day}.",
    '"We never saw such a {w0} {w1} of {w2} and {w3}," {p} told reporters in {place}.',
    "{last} said the {w0} {w1} had been {w2} by the {w3} since {day}.",
    "The {w0} of the {w1}, {last} added, is a {w2} for {things} and their {w3}.",
)


class Filed(NamedTuple):
    """An article of the corpus."""

    id: str
    date: dt.date
    source: str
    title: str
    text: str


@dataclass
class _Event:
    """An event. The first two of its ``cast`` are its principals; the others comment."""

    cast: list[tuple[str, str]]
    titles: tuple[str, str]
    place: str
    country: str
    topic: tuple[str, ...]
    words: list[str]
    told: list[tuple[int, list[str]]]


class Wire:
    """Articles in the order of their days. The same seed gives the same articles, however many are read.

    One in ``one_in`` first sentences names two persons. Articles are ``length`` times as long as usual, with as many times more
    mentions and ``length`` - 1 bystanders; ``paragraphs`` separates their paragraphs by blank lines instead of spaces.
    """

    def __init__(
        self, seed: int, per_day: int, one_in: int = LEADS_A_QUESTION, length: int = 1, paragraphs: bool = True
    ) -> None:
        self._random = random.Random(seed)
        self._per_day, self._one_in, self._length = per_day, one_in, length
        self._between = "\n\n" if paragraphs else " "
        self._tape = w.tape()
        self._coming: dict[int, list[tuple[_Event, str]]] = {}
        # Each season has its own persons, who appear repeatedly, as people enter and leave the news.
        self._people = [f"{given} {last}" for given in w.GIVEN for last in w.SURNAMES]
        self._random.shuffle(self._people)

    def articles(self) -> Iterator[Filed]:
        """Yield articles without end."""
        day = 0
        while True:
            due = self._coming.pop(day, [])
            while len(due) < self._per_day:
                due += self._new_event(day)
            date = _START + dt.timedelta(days=day)
            for number, (event, kind) in enumerate(due):
                yield self._file(event, kind, date, number)
            day += 1

    def _person(self, day: int) -> tuple[str, str]:
        # Mandelbrot's form of Zipf's law: the first of some 12,000 persons occurs in about one event of thirty.
        rank = int(10 * 1200 ** self._random.random()) - 10
        full = self._people[(day // 30 * 400 + rank) % len(self._people)]
        return full, full.rpartition(" ")[2]

    def _new_event(self, day: int) -> list[tuple[_Event, str]]:
        """Start an event; store its reports of later days and return those of today."""
        draw = self._random
        cast: dict[str, tuple[str, str]] = {}
        while len(cast) < 2 + draw.choice((1, 2, 2, 3)):
            full, last = self._person(day)
            cast.setdefault(last, (full, last))
        event = _Event(
            cast=list(cast.values()),
            titles=(draw.choice(w.TITLES), draw.choice(w.TITLES)),
            place=draw.choice(w.PLACES),
            country=draw.choice(w.COUNTRIES),
            topic=draw.choice(w.TOPICS),
            words=[*draw.sample(self._tape, 12), w.made_up(draw.randrange(100_000, 4_000_000))],
            told=[],
        )
        today = [(event, "first")]
        for _ in range(min(7, int(draw.expovariate(0.6)))):
            kind = draw.choices(("report", "update", "reprint"), (6, 2, 1))[0]
            later = int(draw.expovariate(0.7))
            (today if not later else self._coming.setdefault(day + later, [])).append((event, kind))
        return today

    def _file(self, event: _Event, kind: str, date: dt.date, number: int) -> Filed:
        draw = self._random
        agency = draw.randrange(len(AGENCIES))
        if kind in ("first", "report") or not event.told:
            body = self._write(event, date)
        else:
            first, told = event.told[-1]
            agency = first if kind == "update" else agency
            body = self._again(told, event, date)
        event.told.append((agency, body))
        code, source = AGENCIES[agency]
        head = f"{event.place.upper()}, {event.country} ({code}) _ "
        title = f"{event.topic[0].removeprefix('the ').capitalize()} {event.topic[2]} in {event.place}"
        return Filed(f"{code}_ENG_{date:%Y%m%d}.{number:05d}", date, source, title, head + self._between.join(body))

    def _again(self, told: list[str], event: _Event, date: dt.date) -> list[str]:
        """An update of a story: one or two words of the first sentence change, and one paragraph replaces another."""
        body = list(told)
        lead = body[0].split(" ")
        for _ in range(self._random.choice((0, 1, 1, 2, 4))):
            lead[self._random.randrange(len(lead) - 1)] = self._random.choice(self._tape)
        body[0] = " ".join(lead)
        body[1 + self._random.randrange(len(body) - 1)] = self._write(event, date)[-1]
        return body

    def _write(self, event: _Event, date: dt.date) -> list[str]:
        draw = self._random
        # Words of the paragraphs without names.
        size = self._length * (60 + min(2000, int(draw.expovariate(1 / 170))))
        # Takes words at fixed distances from the tape, which is much faster than drawing each word.
        half = len(self._tape) // 2
        stock = self._tape[draw.randrange(half) :: draw.randrange(1, half // size)][:size]
        slots = self._slots(event, date)
        body = [draw.choice(_OTHER_LEADS if draw.randrange(self._one_in) else _LEADS).format(**slots)]
        for full, last in draw.sample(event.cast, len(event.cast)):
            body.append(self._named(_NAMED[draw.randrange(2)], event, slots, full, last))
            if draw.random() < 0.4:
                body.append(self._named(_NAMED[2 + draw.randrange(2)], event, slots, full, last))
        for _ in range(self._length - 1):
            body += self._more_mentions(event, slots, date)
        at = 0
        while at < size:
            sentences = []
            for _ in range(draw.randrange(1, 4)):
                end = at + 9 + int(draw.random() * 22)
                if piece := stock[at:end]:
                    sentences.append(" ".join(piece).capitalize() + ".")
                at = end
            body.insert(draw.randrange(1, len(body) + 1), " ".join(sentences))
        return body

    def _more_mentions(self, event: _Event, slots: dict[str, str], date: dt.date) -> list[str]:
        """Paragraphs that mention each person of the event and a bystander once more."""
        cast = [*event.cast, self._person((date - _START).days)]
        return [self._named(self._random.choice(_NAMED), event, slots, full, last) for full, last in cast]

    def _slots(self, event: _Event, date: dt.date) -> dict[str, str]:
        """The values for the slots of the forms: half of the words are the event's, half the story's own."""
        draw = self._random
        own = draw.sample(event.words, 3) + draw.choices(self._tape, k=2)
        draw.shuffle(own)
        # Half of the stories start with a person who comments; otherwise the first name would always be the answer.
        (first, _), (second, _) = draw.sample(event.cast[:2] if draw.random() < 0.5 else event.cast, 2)
        one, other = draw.sample(event.titles, 2)
        return {
            "A": f"{one} {first}",
            "B": f"{other} {second}",
            "place": event.place,
            "country": event.country,
            "topic": event.topic[0],
            "side": event.topic[1],
            "done": event.topic[2],
            "things": draw.choice(event.topic[3:]),
            "day": w.DAYS[date.weekday()],
            **{f"w{at}": word for at, word in enumerate(own)},
        }

    def _named(self, form: str, event: _Event, slots: dict[str, str], full: str, last: str) -> str:
        fresh = {f"w{at}": word for at, word in enumerate(self._random.choices(self._tape, k=5))}
        what = self._random.choice(w.DESCRIPTIONS)
        return form.format(**{**slots, **fresh, "p": full, "last": last, "what": what})
