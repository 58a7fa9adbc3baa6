"""Article filters: length; round-ups, schedules, corrections, market reports and tables, recognised by title, lead and form.

The patterns follow the forms that English-language agencies use. Each filter returns the words that it matched. Filters do not
judge what an article is about, nor count its persons: a story of one event may name many.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Sequence

from wdw_build.core.rule import Rule
from wdw_build.records import Article
from wdw_build.text.lexicon import MONTH_START, WEEKDAY_NAME
from wdw_build.text.pages.datelines import split_dateline
from wdw_build.text.settings import RetrieveConfig

# The share of tokens that make a text a table.
_NUMERIC_SHARE = 0.3
_MONTH = rf"{MONTH_START}[a-z]*"
# Titles are matched without case. A spaced dash becomes a colon and other hyphens spaces: "BC-WORLD-HIGHLIGHTS".
_DASH = re.compile(r"\s+[-–—_]+\s+|--+|—")
_JOINT = re.compile(r"[\s/_‐-―-]+")
# Only a date, a time or an agency may follow the name of a form: "Dispute highlights conflicts" is a story.
_TAIL = rf"(?=[.:,;)(*]|$| \(|\s(?:\d|{_MONTH}\b|(?:on |for |of )?(?:the )?(?:{WEEKDAY_NAME}|day|week|am|pm|ap|afp|gmt|usda)))"
# Those that correct their reports, with their whole names.
_WIRE = "the associated press|associated press|ap|afp|agence france presse|reuters?|upi|xinhua"
_WRONGLY = "(?:erroneously|incorrectly|mistakenly)"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_ROUND_UP_TITLES = _any(
    rf"\b(?:news|world|sports?|business|people|capital|campaign|earnings|credit|money|regional|city) briefs?{_TAIL}",
    rf"^(?:[\w.&']+ ){{0,2}}briefs{_TAIL}|\bnews in brief\b|\bin brief{_TAIL}",
    rf"\bat a glance{_TAIL}|(?<=\s)round ?ups?{_TAIL}|\b(?:news|press|sports|media) (?:digest|review|summary){_TAIL}",
    rf"\b(?:news|world|business|money|market|commodit(?:y|ies)|sports|credit|earnings|weekend) highlights{_TAIL}",
    rf"\b(?:top|front page|news|world|business|newspaper) (?:stories|headlines){_TAIL}|\bmajor news items\b",
    r"\bwhat the (?:\w+ )?papers say\b",
    rf"\b(?:current|memorable|notable) quot(?:ations|es)\b|\bquot(?:ations?|es?) of the (?:day|week)\b|^quotables?{_TAIL}",
    rf"\b(?:people|names|faces) in the (?:news|game)\b|^(?:newsmakers|names and faces|people){_TAIL}|\bscoreboard{_TAIL}",
    r"\b(?:today|this (?:day|week)|on this day) in (?:\w+ )?history\b",
    rf"^(?:notable |celebrity |famous )?(?:birthdays|deaths|obituaries){_TAIL}|\bdeaths elsewhere\b",
    r"^(?:a |brief )?(?:chronology|timeline) of\b|^(?:chronology|timeline|factbox)(?:[:.]|$)",
    r"^(?:key|major) (?:events|dates|facts|developments) (?:in|of|about)\b",
)
_SCHEDULE_TITLES = _any(
    rf"\b(?:news|sports?|world|events?|tv|television|weekly|daily|entertainment|coverage|features?) "
    rf"(?:schedule|calendar|diary|agenda|lineup|planner){_TAIL}",
    rf"\b(?:economic|political|diplomatic|financial|arts|cultural|court) (?:calendar|diary){_TAIL}",
    r"\b(?:news|sports|features|business|photo|graphics|wire) (?:budget|advisory|advisories)\b",
    rf"^(?:calendar|schedule|diary|agenda|datebook|(?:coming|upcoming|forthcoming) events|fixtures){_TAIL}",
    r"\b(?:schedule|calendar|diary) of (?:\w+ ){0,2}(?:events|games|matches|meetings|hearings)\b",
    r"^(?:the |world |u\.?s\.? |europe |economic )?(?:week|day) ahead\b|\bevents scheduled (?:for|on)\b",
    rf"\b(?:soccer|football|rugby|cricket|league|premier league|olympic) (?:fixtures|schedule){_TAIL}",
)
_SCHEDULE_LEADS = _any(
    r"^here (?:are|is) the (?:top|news|schedule|budget|stories|lineup|calendar)\b",
    r"\bthe following (?:is|are) (?:the |an? )?(?:\w+ ){0,3}(?:schedules?|calendar|budget|diary|events|stories|fixtures)\b",
    r"\b(?:the following|these stories|news service|the wire)\b.{0,80}\b(?:planning|planned) to move\b",
    r"\bstories? (?:planned|scheduled|moving) for\b|\bfor (?:ams|pms) of\b",
    r"^(?:all )?times? (?:are )?(?:in )?(?:gmt|edt|est|local)\b",
)
_CORRECTION_TITLES = _any(
    r"^\W*(?:bc\W+)?(?:corrections?|clarifications?|errat(?:um|a)|retraction|(?:mandatory )?kill)(?:\W*$|\s*[:;,(—–]|\s*-+\s|"
    r"\s(?:to|for)\s)",
    r"^\W*(?:editors?['’]?s?['’]? notes?|notes? to editors|attention editors?|eds)(?:\W*$|\s*[:;,(—–-])",
)
_CORRECTION_LEADS = _any(
    r"^\W*(?:corrections?|clarification|attention editors?|editors|eds|note to editors)\W*\s*[:—–_-]",
    r"\bplease (?:read|delete|disregard|substitute|ignore)\b",
    rf"\b(?:{_WIRE})(?: \w+)? {_WRONGLY} (?:reported|said|stated|identified|described|quoted)\b",
    r"^\W*in (?:an?|some|our|its|the)\b.{0,160}\b(?:story|item|article|dispatch)\b.{0,300}\b"
    rf"(?:should (?:have )?(?:read|said)|{_WRONGLY} (?:reported|said|stated|identified|described))\b",
)
_TRADED = (
    r"(?:stocks|shares|equities|bonds|bourse|gilts|treasuries|dollar|yen|sterling|euro|gold|silver|bullion|crude|futures"
    r"|wall st(?:reet)?|dow(?: jones)?|nikkei|hang seng|ftse|nasdaq|(?:share|stock|bond|bullion|grain|oil|gold) prices"
    r"|(?:credit|stock|share|money|bond|gold|bullion|grain|futures|forex|foreign exchange) markets?"
    r"|(?:soybeans?|wheat|corn|sugar|coffee|cocoa|cotton|cattle|hogs?)(?: futures| prices)?)"
)
_TURN = (
    r"(?:higher|lower|up|down|mixed|flat|steady|steadier|firm|firmer|weaker|easier|stronger|unchanged|little changed)"
)
_SESSION = r"(?:closes?|opens?|ends?|finish(?:es)?|starts?|closed|opened|ended|finished|started)"
_HOURS = (
    "early|late|midday|mid ?day|mid ?session|noon|afternoon|morning|midmorning|quiet|thin|light|active|moderate|heavy|brisk"
    "|hectic|slow|dull|tokyo|london|new york|hong kong|frankfurt|paris|zurich|sydney"
)
_DEALING = (
    rf"(?:(?:in|at|by|on) (?:(?:an? |the )?(?:{_HOURS}) ){{1,2}}(?:trad(?:e|ing)|dealings?|session|close|opening)\b"
    r"|(?:at|by) (?:midday|noon|mid ?session|midmorning|the close|the opening)\b)"
)
_MARKET_TITLES = _any(
    rf"\b{_TRADED} (?:\S+ ){{0,2}}?{_SESSION} (?:\S+ ){{0,2}}?{_TURN}\b",
    rf"\b{_TRADED} (?:\S+ ){{0,3}}?{_TURN} (?:\S+ ){{0,2}}?{_DEALING}",
    rf"\b(?:stock|share|money|bond|grain|cattle|livestock|gold|forex|foreign exchange|currency|cotton|sugar|coffee|hog|oil) "
    rf"markets? (?:report|closings?|averages|quotations|prices){_TAIL}",
    rf"\b(?:stocks?|market|exchange) (?:closing|opening) (?:prices|averages|quotations|rates){_TAIL}",
    rf"\b(?:foreign|key|world|currency) exchange rates{_TAIL}|^(?:exchange|currency|interest) rates{_TAIL}",
)
_MARKET_LEADS = _any(
    rf"^\W*(?:\S+ ){{0,6}}?(?:{_TRADED}|prices) (?:\S+ ){{0,3}}?{_SESSION} (?:\S+ ){{0,4}}?{_TURN}\b",
    rf"^\W*(?:\S+ ){{0,6}}?(?:{_TRADED}|prices) were (?:\S+ ){{0,4}}?{_TURN} (?:\S+ ){{0,3}}?{_DEALING}",
)
_LEAD_LETTERS = 600
_CACHED_TOKENS = 1 << 16
_NUMERIC, _CAPITALS, _OTHER = "numeric", "capitals", "other"
# A story has one dateline. Three datelines mark a round-up, three quotations mark a list, three timed lines a schedule.
_FEWEST = 3
_QUOTED_LINE = re.compile(r"^\W*[\"“].*[\"”][\s.]*(?:--|[-–—_])\s*[A-Z]", re.DOTALL)
_TIMED_LINE = re.compile(
    rf"^\W*(?:\d{{4}} ?(?:gmt|hrs)\b|\d{{1,2}}[:.]\d{{2}}(?: ?[ap]\.?m\b| ?gmt|\s*[-–—])|\d{{1,2}} [ap]\.?m\.?\b"
    rf"|(?:{WEEKDAY_NAME},? )?{_MONTH}\.? \d{{1,2}}(?:,? \d{{4}})?\s*(?:[:–—]|-+\s)|{WEEKDAY_NAME}\s*(?:[:–—]|-+\s))",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")


def _plain(title: str) -> str:
    return _JOINT.sub(" ", _DASH.sub(": ", title)).strip()


def _title_or_lead(
    title: str, paragraphs: Sequence[str], titles: re.Pattern[str], leads: re.Pattern[str] | None
) -> str:
    """The words of the title or of the first paragraph that match, or an empty string."""
    if match := titles.search(title):
        return f"title: {match[0].strip()}"
    if leads and paragraphs and (match := leads.search(_lead(paragraphs[0]))):
        return f"first paragraph: {match[0].strip()[:150]}"
    return ""


@functools.lru_cache(maxsize=1)
def _lead(paragraph: str) -> str:
    """The start of a paragraph with single spaces. Several filters ask for that of one article."""
    return " ".join(paragraph.split())[:_LEAD_LETTERS]


def round_up_evidence(title: str, paragraphs: Sequence[str]) -> str:
    """The words that show a round-up, list or chronology of several events, or an empty string."""
    if evidence := _title_or_lead(_plain(title), paragraphs, _ROUND_UP_TITLES, None):
        return evidence
    heads = [head for head, _ in map(split_dateline, paragraphs) if head]
    if len(heads) >= _FEWEST:
        return f"{len(heads)} datelines: {'; '.join(heads[:_FEWEST])[:120]}"
    quoted = sum(bool(_QUOTED_LINE.match(paragraph)) for paragraph in paragraphs)
    return f"{quoted} quotations with their speakers" if quoted >= _FEWEST and 2 * quoted >= len(paragraphs) else ""


def schedule_evidence(title: str, paragraphs: Sequence[str]) -> str:
    """The words that show a schedule, a calendar or an agency's list of planned stories, or an empty string."""
    if evidence := _title_or_lead(_plain(title), paragraphs, _SCHEDULE_TITLES, _SCHEDULE_LEADS):
        return evidence
    lines = [line for paragraph in paragraphs for line in map(str.strip, paragraph.split("\n")) if line]
    timed = sum(bool(_TIMED_LINE.match(line)) for line in lines)
    return (
        f"{timed} of {len(lines)} lines begin with a day or time"
        if timed >= _FEWEST and 2 * timed >= len(lines)
        else ""
    )


def correction_evidence(title: str, paragraphs: Sequence[str]) -> str:
    """The words that show a correction of another article or a note to editors, or an empty string."""
    return _title_or_lead(title, paragraphs, _CORRECTION_TITLES, _CORRECTION_LEADS)


def market_report_evidence(title: str, paragraphs: Sequence[str]) -> str:
    """The words that show a report of a trading session or of rates, or an empty string."""
    return _title_or_lead(_plain(title), paragraphs, _MARKET_TITLES, _MARKET_LEADS)


RULES = {
    "short-passage": Rule(
        "the passage has fewer words than retrieve.min_passage_words",
        ("min_passage_words",),
        looser={"min_passage_words": -20},
    ),
    "long-passage": Rule(
        "the passage has more words than retrieve.max_passage_words",
        ("max_passage_words",),
        looser={"max_passage_words": 2500},
    ),
    "round-up": Rule(
        "a round-up of several events: briefs, highlights, a press digest, quotations, a chronology",
        ("refuse_round_ups",),
    ),
    "schedule": Rule("a schedule, a calendar or a list of planned stories", ("refuse_schedules",)),
    "correction": Rule("a correction of another article, or a note to editors", ("refuse_corrections",)),
    "market-report": Rule("a report on a trading session, rates or prices", ("refuse_market_reports",)),
    "table": Rule(
        "a table or list: too many tokens are numbers, symbols or words in capitals",
        ("refuse_tables",),
    ),
}
# Rule -> the words that show it.
EVIDENCE: dict[str, Callable[[str, Sequence[str]], str]] = {
    "round-up": round_up_evidence,
    "schedule": schedule_evidence,
    "correction": correction_evidence,
    "market-report": market_report_evidence,
}


def refusal(article: Article, options: RetrieveConfig) -> tuple[str, str]:
    """The first filter of those switched on that refuses the article, and its evidence; or two empty strings."""
    size = len(article.text.split())
    if size < options.min_passage_words:
        return "short-passage", f"{size:,} words"
    if 0 < options.max_passage_words < size:
        return "long-passage", f"{size:,} words"
    for rule, evidence in EVIDENCE.items():
        (key,) = RULES[rule].keys
        if getattr(options, key) and (detail := evidence(article.title, article.paragraphs)):
            return rule, detail
    if options.refuse_tables and (share := numeric_ratio(article.text)) >= _NUMERIC_SHARE:
        return "table", f"{share:.2f} of the tokens"
    return "", ""


def numeric_ratio(text: str) -> float:
    """The share of a text's tokens with a digit, without letter and digit, or in capitals; 0 for an empty text.

    Capitals are not counted where more than half of the tokens are in capitals, as on older wires.
    """
    tokens = text.split()
    if not tokens:
        return 0.0
    kinds = Counter(map(_kind, tokens))
    numeric, capitals = kinds[_NUMERIC], kinds[_CAPITALS]
    return (numeric + (capitals if 2 * capitals <= len(tokens) else 0)) / len(tokens)


# The same few thousand words make up most of a newswire.
@functools.lru_cache(_CACHED_TOKENS)
def _kind(token: str) -> str:
    if not token.isalpha() and (any(map(str.isdigit, token)) or not _LETTER.search(token)):
        return _NUMERIC
    return _CAPITALS if token.isupper() and sum(map(str.isupper, token)) > 1 else _OTHER
