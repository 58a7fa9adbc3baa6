"""Makes documents of the kinds of which few are labelled, from the texts of labelled stories.

A short story is the beginning of one. A running report is paragraphs of several stories with times or dates, a transcript
their sentences with speakers, a page of teasers titles and first sentences, a list names with posts, scores or prices. The
pages that are no articles are written out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

# Short stories for each document of another kind.
SHORT = 3
# The share of these that are one sentence of a few words.
TINY = 0.2
_DEEDS = (
    "fell",
    "won",
    "resigned",
    "met the mayor",
    "left",
    "was seen",
    "spoke first",
    "sued the city",
    "came home",
    "agreed",
)
_SENTENCE = re.compile(r"(?<=[a-z0-9][.?!])\s+(?=[A-Z])")
_NAME = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
_POSTS = (
    "Secretary to the Ministry of Health", "Governor of the Northern Province", "Minister of Transport", "goalkeeper",
    "Head of Sales", "Chairman", "Director, Public Relations", "Member of Parliament", "left wing", "Treasurer",
)  # fmt: skip
_GOODS = (
    "Gold",
    "Crude oil",
    "Rice (1 kg)",
    "Petrol 92 Octane",
    "Tea",
    "Copper",
    "Sugar",
    "US Dollar",
    "Euro",
    "Wheat",
)
_PLACES = (
    "Colombo",
    "London",
    "New York",
    "Paris",
    "Kandy",
    "Houston",
    "Tokyo",
    "Nairobi",
    "Washington",
    "Port-au-Prince",
)
_AGENCIES = ("Reuters", "AP", "AFP", "Daily Mirror", "News 1st", "Xinhua", "UPI", "Herald")
_OPENINGS = (
    "Here are the results:", "The following have been appointed:", "Full list of winners", "Results of the first round",
    "Prices at the close:", "The line-ups are as follows", "", "", "",
)  # fmt: skip
NO_ARTICLES = """
Page not found.|404 - The page you requested could not be found. Try the search.|No article tag found|Content could not be scraped|
-|Access denied. You do not have permission to view this page.|403 Forbidden|Please enable JavaScript to view this page.|
Your browser is out of date. Please update it.|The document has moved here.|Loading...|Error establishing a database connection|
We use cookies to improve your experience. By continuing you accept our use of cookies. Accept all Reject Manage settings|
This website uses cookies. Read our privacy policy. I agree|We value your privacy. We and our partners store cookies. Accept|
You have reached your limit of free articles. Subscribe now to continue reading.|Sign in or register to read this article.|
This content is for subscribers only. Log in with your email address and password.|Subscribe for $1 a week. Cancel anytime.|
Please verify you are a human. Complete the security check to continue.|Checking your browser before accessing the site.|
This video is no longer available.|This content is not available in your region.|Sorry, this page has been removed.|
We're sorry, something went wrong. Please try again later.|The story you are looking for has expired.|null|None|undefined|N/A|
Sign up for our newsletter. Enter your email address. You can unsubscribe at any time.|[deleted]|Failed to load article text|
Leave a Reply. Your email address will not be published. Required fields are marked * Comment Name Email Website|
Please disable your ad blocker to support us.|Advertisement|Advertisement Continue reading the main story|Service Unavailable|
Order now and save 50% on your first box. Free delivery. Click here for this special offer.|Domain for sale. Make an offer.|
Share this with Facebook Twitter Email Copy link. These are external links and will open in a new window|Request timed out|
You are being redirected. If you are not redirected, click here.|Copyright 2019. All rights reserved. Terms of use. Contact us|
An error occurred while processing your request. Reference number 18.2c1f|Unable to extract text|Article body is empty|
Click to enlarge. Advertisement. Follow us on Facebook.|Comments are closed.|Be the first to comment. Log in to comment|
Download our app for breaking news. Available on the App Store and Google Play.|Create a free account to unlock this article.
"""


class Document(NamedTuple):
    """A document: its corpus, source, title and paragraphs, and its kind.

    It may be made, or hard: drawn because an earlier model took it for odd or was not sure of it. If it is for the test, nothing is
    fitted to it.
    """

    corpus: str
    id: str
    source: str
    title: str
    paragraphs: Sequence[str]
    kind: str
    is_made: bool = False
    is_hard: bool = False
    is_test: bool = False


class _Material:
    def __init__(self, stories: Sequence[Document], draw: random.Random) -> None:
        self.stories, self.draw = stories, draw
        self.titles = [one.title for one in stories if one.title]
        self.names = sorted({name for one in stories for text in one.paragraphs for name in _NAME.findall(text)})

    def sentences(self) -> list[str]:
        """The sentences of a story, at least one."""
        while True:
            story = self.draw.choice(self.stories)
            if found := [one for text in story.paragraphs for one in _SENTENCE.split(text) if len(one) > 20]:
                return found

    def run(self, least: int, most: int) -> list[str]:
        """Paragraphs in a row, of one to three sentences."""
        found = list[str]()
        while len(found) < least:
            sentences = self.sentences()
            while sentences and len(found) < most:
                number = self.draw.randint(1, 3)
                found.append(" ".join(sentences[:number]))
                sentences = sentences[number:]
        return found


def _running(of: _Material) -> tuple[str, list[str]]:
    draw = of.draw
    minutes = draw.randrange(360, 1200)
    form = draw.choice(
        ("{h}.{m:02}{half}: ", "{h}:{m:02} {HALF} - ", "[{hh:02}:{m:02}] ", "{hh:02}:{m:02} GMT ", "{hh:02}{m:02} GMT: ",
         "{h}.{m:02}{half}\n", "{hh:02}.{m:02}\n", "{h}:{m:02} {HALF} EDT\n", "Updated at {h}.{m:02}{half} GMT\n",
         "{month} {day}: ", "{month} {day}, 2010 - ", "{day} {month} 2011\n", "{month} {day}\n", "{day} {month}: ")
    )  # fmt: skip
    month = draw.choice(("January", "March", "April", "June", "September", "Oct.", "Nov."))
    lines = list[str]()
    for number, text in enumerate(of.run(2, draw.choice((3, 8, 40)))):
        minutes = (minutes + draw.randint(1, 25)) % 1440
        hours = minutes // 60
        half = "am" if hours < 12 else "pm"
        mark = form.format(
            h=hours % 12 or 12, hh=hours, m=minutes % 60, half=half, HALF=half.upper(), month=month, day=number % 28 + 1
        )
        lines += f"{mark}{text}".split("\n") if number or draw.random() < 0.5 else [text]
    title = draw.choice(("Live updates: {}", "{} - as it happened", "{}", "Timeline: {}", "{}")).format(
        draw.choice(of.titles)
    )
    return title, lines


def _transcript(of: _Material) -> tuple[str, list[str]]:
    draw = of.draw
    names = draw.sample(of.names, draw.randint(2, 3))
    style = draw.choice(("last", "upper", "full", "qa", "host"))
    lines = list[str]()
    for number, text in enumerate(of.run(2, draw.choice((3, 8, 40)))):
        name = names[number % len(names)]
        mark = {
            "last": name.split()[-1],
            "upper": name.split()[-1].upper(),
            "full": name,
            "qa": "QA"[number % 2],
            "host": name if number >= len(names) else f"{name.upper()}, {draw.choice(('host', 'MAYOR', 'CNN ANCHOR'))}",
        }[style]
        lines.append(f"{mark}: {text}")
    return draw.choice(("{}", "Transcript: {}", "Interview: {}", "")).format(draw.choice(of.titles)), lines


def _teasers(of: _Material) -> tuple[str, list[str]]:
    draw, lines = of.draw, list[str]()
    has_text, has_credit = draw.random() < 0.5, draw.random() < 0.5
    for title in draw.sample(of.titles, draw.randint(5, 25)):
        line = title
        if has_text:
            line += f" {of.sentences()[0][: draw.randint(60, 160)]}{draw.choice(('...', ' …', '', ' Read more'))}"
        if has_credit:
            line = f"{line} {draw.choice(('By', 'BY', 'Posted by'))} {draw.choice(of.names)}"
        lines.append(line)
    return draw.choice(("", "Latest news", "Top stories", draw.choice(of.titles))), (
        [" ".join(lines)] if draw.random() < 0.3 else lines
    )


def _list(of: _Material) -> tuple[str, list[str]]:
    draw, names = of.draw, of.draw.sample(of.names, draw_number(of.draw))
    form = draw.choice(("post", "score", "price", "number", "plain"))
    lines = list[str]()
    for number, name in enumerate(names):
        line = {
            "post": f"{name} {draw.choice('–-,')} {draw.choice(_POSTS)}",
            "score": f"{name} {draw.randint(0, 6)}-{draw.randint(0, 6)} {draw.choice(of.names)}",
            "price": f"{draw.choice(_GOODS)} {draw.uniform(10, 3000):.2f} ({draw.uniform(-1, 1):+.2f})",
            "number": f"{number + 1}. {name}",
            "plain": name,
        }[form]
        lines.append(f"{draw.choice('•-*')} {line}" if form == "plain" else line)
    opening = draw.choice([*_OPENINGS, of.sentences()[0]])
    return draw.choice(of.titles), [*filter(None, [opening]), *lines]


def draw_number(draw: random.Random) -> int:
    """A number of lines of a list."""
    return draw.randint(6, 30)


def _short(of: _Material) -> tuple[str, list[str]]:
    """The first sentences of a story, perhaps after a dateline: a short report is a story, too."""
    draw = of.draw
    sentences = of.sentences()[: draw.choice((1, 2, 3, 5, 30))]
    if draw.random() < TINY:
        who = draw.choice(("It", "The mayor", "Snow", "They", *draw.sample(of.names, 6)))
        sentences = [f"{who} {draw.choice(_DEEDS)}{draw.choice(('', ' on Monday', f' in {draw.choice(_PLACES)}'))}."]
    form = draw.choice(
        (
            "{p}, {m} {d} ({a}) - ",
            "{p}, {m} {d} - ",
            "{p} ({a}) -- ",
            "{p} ({a}); ",
            "{P}, {m} {d} ({a}) – ",
            "{P} -- ",
            "",
            "",
            "",
            "",
        )
    )
    place, month = draw.choice(_PLACES), draw.choice(("Jan", "March", "April", "June", "Sept", "October"))
    first = form.format(p=place, P=place.upper(), m=month, d=draw.randint(1, 28), a=draw.choice(_AGENCIES))
    paragraphs = [first + sentences[0], *sentences[1:]]
    return draw.choice(of.titles), paragraphs if draw.random() < 0.5 else [" ".join(paragraphs)]


def _brief(of: _Material) -> tuple[str, list[str]]:
    """A sentence or two with what a caption or a blurb of a video has."""
    draw, name = of.draw, of.draw.choice(of.names)
    sentences = of.sentences()[: draw.randint(1, 2)]
    before, after = draw.choice(
        (
            ("", f"Pix by {name}"), ("", f"Photo by {name}/Getty Images"), ("", f"Photograph: {name}/AP"),
            ("", f"{name} reports from {draw.choice(_PLACES)}."), ("", f"{name} reports."), ("", f"Video journalist: {name}"),
            ("", f"Filmed and edited by {name}"), ("Watch: ", ""), ("Video: ", ""), ("", "Watch the video above."),
            ("In pictures: ", ""), ("", f"GRAPHIC: {name} - June 3, 2014"), (f"{name} looks at what happened next. ", ""),
            (f"{name} explains why. ", ""), ("", "Read more here."), ("", f"See the full gallery. (Pictures: {name})"),
        )
    )  # fmt: skip
    paragraphs = [f"{before}{sentences[0]}", *sentences[1:], *filter(None, [after])]
    return draw.choice(("", *of.titles)), [" ".join(paragraphs)] if draw.random() < 0.5 else paragraphs


def made(stories: Sequence[Document], number: int, seed: int) -> Iterator[Document]:
    """Made documents: short stories, ``number`` of each other kind, and one of each text of ``NO_ARTICLES``."""
    of = _Material([one for one in stories if len(one.paragraphs) > 3], random.Random(seed))
    makers: dict[str, Callable[[_Material], tuple[str, list[str]]]] = {
        "story": _short,
        "brief": _brief,
        "running": _running,
        "transcript": _transcript,
        "teasers": _teasers,
        "list": _list,
    }
    for kind, make in makers.items():
        for at in range(number * (SHORT if kind == "story" else 1)):
            title, paragraphs = make(of)
            yield Document("made", f"{kind}{at}", kind, title, paragraphs, kind, is_made=True)
    for text in NO_ARTICLES.replace("\n", "").split("|"):
        yield Document("made", text[:20], "none", of.draw.choice(of.titles), text.split("\n"), "none", is_made=True)
