"""First sentences that give no question: introductions of another text, dialogue, fragments, embedded posts, damaged text.

Each rule returns the words that show the fault. ``no_main_clause`` reads the parse tree, ``lost_boundary`` the tree and the
probabilities of a model; all other rules read the text only and take microseconds. Most rules ignore words in quotation
marks. No rule judges whether a sentence is news.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from wdw_build.core.rule import Rule
from wdw_build.records import Mention
from wdw_build.text.blanking.trees import FINITE, Node, Sentence
from wdw_build.text.lexicon import MONTH, WEEKDAY_NAME, alternatives
from wdw_build.text.names.beside import KIN
from wdw_build.text.names.name import clean
from wdw_build.text.sentences.boundaries import ABBREVIATIONS, LOST_END, STARTERS, is_start
from wdw_build.text.sentences.repair import damage

REASONS = {
    "introduces-text": Rule(
        "the first sentence announces another text or a list ('Here is the text of …:')", ("refuse_introductions",)
    ),
    "addresses-reader": Rule(
        "the first sentence addresses the reader or mentions its writer ('You can choose …')",
        ("refuse_reader_address",),
    ),
    "joins-sentences": Rule(
        "the first sentence is in fact several sentences, a dialogue, or a quotation signed with a dash",
        ("refuse_joined_sentences",),
    ),
    "embedded-post": Rule("the first sentence contains a web address or an embedded post", ("refuse_embedded_posts",)),
    "broken-text": Rule(
        "the first sentence contains damaged characters, lost apostrophes or a quotation mark without its partner",
        ("refuse_broken_text",),
    ),
    "no-main-clause": Rule(
        "the first sentence has no main clause: it is a byline, caption, label or headline", ("refuse_fragments",)
    ),
}
_RELATIVE = frozenset({"WP", "WDT"})
_DAY = rf"{WEEKDAY_NAME}\b"
_SAID = frozenset({"said", "says", "told"})
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|``.*?''")
_MARKS = re.compile(r"[\"“”]|``|''")
_INTRODUCES = re.compile(
    r"(?:here|below|following|the following)(?: (?:is|are|was|were)\b|['’]s\b|, (?:is|are)\b)", re.IGNORECASE
)
_OPENERS = (
    "if|when|whether|as|before|after|unless|do|did|have|are|can|could|would|should|maybe|perhaps|so|and|but|well|okay|now|"
    "wow"
)
# Titles may start with the same words: "Meet the Press", "My Lai", "Don't Ask, Don't Tell".
_READER = re.compile(
    rf"(?:(?:{_OPENERS})\W+(?-i:(?!You(?:r)? [A-Z])))*"
    r"(?:you\b|your\b|you['’](?:ve|re|ll|d)\b|i\b(?![.-])|let me\b|let['’]s\b|say what you|check out\b|"
    r"watch (?:as|this)\b|guess wh|(?:my|imagine|remember|forget|take a|don['’]t) (?=(?-i:[a-z]))|(?:look|listen), )",
    re.IGNORECASE,
)
_WRITER = re.compile(r"(?<![\w.-])I(?:['’](?:m|ve|d|ll))? (?!and\b|, )[a-z]+")
# Words other than adverbs and days that stand before the writer's "I" at the start of a sentence.
_BEFORE_I = STARTERS | frozenset(
    "once then now so well sometimes perhaps maybe often soon yes no that which where why".split()
)
_ASKS = re.compile(
    r"(?:who|what|when|where|why|how|which|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b.*\?\W*$",
    re.IGNORECASE | re.DOTALL,
)
# "BLITZER: Thank you", "Q. Did he? A. No", "… his tongue: Hunt: You think".
_SPEAKER = re.compile(
    r"\W{0,2}(?:[A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]+){0,4}|Q|A|[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,2}) ?:\s|\W{0,2}Q\. .*\bA\. "
)
_SPEAKERS = re.compile(r"(?:^|[\s.!?:\"”’])[A-Z][\w.'’-]+:\s+(?=[\"“]?[A-Z])")
_THEN_SPEAKER = re.compile(r":\s+[A-Z][\w.'’-]+:\s")
# A quotation with its speaker: "… again.” — Hillary Clinton She is right".
_SIGNED = re.compile(r"[.!?…][\"”]\s*[—–-]{1,3}\s*[A-Z][\w.'’-]+")
_GLUED = re.compile(r"(?<![\w.@/-])(?P<last>[\w’'-]*[a-z]{2})[.!?][\"”’)]?(?!Com|Org|Net|Inc)[A-Z][a-z]+\s")
_ENDED = re.compile(r"(?P<last>[^\W\d_][\w’'.-]*) ?(?P<mark>[.?])(?P<quote>[\"”’)]{0,2})\s+(?:[\"“‘(] ?|`` )?[A-Z]")
# A number at the end of a sentence ("on Dec. 5. President …"), and any word before a word that starts sentences.
_ENDED_SHORT = re.compile(
    rf"(?<=[\w$.)] )\S*\d\.[\"”’)]{{0,2}}\s+[\"“‘(]?[A-Z][a-z]+"
    rf"|[^\W\d_][\w.]*\.[\"”’)]{{0,2}}\s+{alternatives(map(str.capitalize, STARTERS))}\s(?=[a-z])"
)
# Abbreviations before a full stop that does not end a sentence.
_SHORT_FORMS = ABBREVIATIONS | set(
    "atty asst pres sec cong ald treas assoc natl intl bldg regt chmn govt messrs".split()
)
_FEWEST_LETTERS = 5
_POST = re.compile(
    r"https? ?:|www ?\.|pic\.twitter|\bRT @|\(@\w+\)|\bt\.co/|\[(?:embed|caption|scribd|video|image)\b", re.IGNORECASE
)
_BYLINE = re.compile(
    r"\W*(?:By|BY) (?!\w+ (?:Day|Night|Eve)\b)(?:[A-Z][\w.-]+ ){2}|\W*\d{1,2}/\d{1,2}/\d{2,4}\b|"
    # A caption: "July 31: Workers lay a boom".
    rf"\W*{MONTH} \d{{1,2}}(?:, \d{{4}})?: [A-Z]|"
    r".{0,60}\b\d{1,2}:\d{2} [AP]M [A-Z]{2,4}\b.{0,20}\b[Bb][Yy] [A-Z]"
)
_CAPTION = re.compile(
    r"\([LR]\).*\([LR]\)|\(\s?(?:\w+ )?(?:left|right|cent(?:er|re))\s?\)|\((?:pictured|file photo)\)|"
    # A photographer and an agency: "(Ann Poole/Reuters) The mayor …".
    r"^\W?\([A-Z][^()/\d]{3,40}/[A-Z][^()]{1,40}\) |^\W*From (?:the )?left\b|\b[Ff]rom left(?:,|:| to right)|"
    r"\b[Ll]eft to right\b|\blooks? on\W*$|\b(?:Pic|Pix|Photo)s? by [A-Z]|"
    r", (?:(?:second|third|far|top|bottom) )?(?:left|right|cent(?:er|re)|unseen|in background),|"
    r"\b[Ii]n this (?:\w+ ){0,3}(?:photo|photograph|image|picture)\b|"
    r"\bin an? (?:file|handout|undated|combination) (?:photo|photograph|image|picture)\b|/Getty\b|\bAP Photo\b|REUTERS/"
)
# The caption of a video: "Bill Poole discusses his trip to join the Navy". News tells it in the past tense.
# That of a photo, too, with its place and date: "Ann Poole speaks at the fair, in Cork, Ohio, on Monday".
_PRESENTS = re.compile(
    r"(?:, [^,]{1,30},)? (?:(?:discusses|reacts to|weighs in on|joins [^.]{3,60} to discuss)\b"
    rf"|(?:addresses|answers|arrives|attends|delivers|greets|holds|listens|meets|speaks|stands|talks|walks)"
    rf" [^.,]*(?:, in| in) [^,]+, [A-Z][^,]*,? (?:on )?(?:{_DAY}|{MONTH} \d)"
    rf"|(?:applauds|gestures|looks on|poses|smiles|waves)\b[^.]* (?:{_DAY}|{MONTH} \d{{1,2}}, \d))"
)
_MOST_BEFORE_NAME = 6
# The least log odds, by a model, of a start within a sentence.
_LEAST_START = 5.0
_SHOWN = 6


def _without_quotations(text: str) -> str:
    """The sentence with empty quotation marks."""
    return _QUOTED.sub("“”", text)


def _shown(match: re.Match[str] | None) -> str:
    return match[0].strip()[:80] if match else ""


def introduces_text(text: str) -> str:
    """The words that introduce another text, or an empty string."""
    text = text.strip(" \"“'(")
    return text[-40:] if text.endswith(":") else _shown(_INTRODUCES.match(text))


def addresses_reader(text: str) -> str:
    """The words that address the reader, ask a question or mention the writer, or an empty string."""
    text = _without_quotations(text).lstrip(" -—–*•")
    writers = (_shown(match) for match in _WRITER.finditer(text) if not _is_numeral(text[: match.start()]))
    return _shown(_READER.match(text)) or next(writers, "") or _shown(_ASKS.match(text))


def _is_numeral(before: str) -> bool:
    """Whether an "I" after these words is a numeral ("World War I ended", "Elizabeth I of England")."""
    words = before.split()
    if not words or not (words[-1][0].isupper() and words[-1].isalpha()):
        return False
    # "Elizabeth I of England", "Phase I trials"; but "Yesterday I went", "Sadly I went".
    return len(words) > 1 or not (
        words[0].endswith(("day", "ly", "morrow", "night")) or words[0].casefold() in _BEFORE_I
    )


def joins_sentences(text: str) -> str:
    """The words where two sentences meet or a speaker is named, or an empty string."""
    if speaker := _SPEAKER.match(text) or _SIGNED.search(text) or _THEN_SPEAKER.search(text):
        return _shown(speaker)
    if len(speakers := _SPEAKERS.findall(text)) > 1:
        return str(speakers[0]).strip()
    if run_on := LOST_END.search(_without_quotations(text)):
        return _shown(run_on)
    glued = (_shown(match) for match in _GLUED.finditer(text) if match["last"].casefold() not in _SHORT_FORMS)
    ended = (_shown(match) for match in _ENDED.finditer(text) if _ends_sentence(match))
    return next(glued, "") or next(ended, "") or _shown(_ENDED_SHORT.search(_without_quotations(text)))


def _ends_sentence(end: re.Match[str]) -> bool:
    """Whether a sentence ends at a mark: not after an abbreviation, and not at a question in quotation marks."""
    last, quoted = end["last"], bool(end["quote"])
    if end["mark"] == "?":
        return not quoted
    if "." in last or not last[-1].islower() or last.casefold() in _SHORT_FORMS:
        return False
    return quoted or len(last) >= _FEWEST_LETTERS


def repeated_name(text: str, mentions: Sequence[Mention]) -> str:
    """The full name that occurs twice in a sentence, or after a shorter form of it; or an empty string.

    ``mentions``: the persons of the sentence, in its order; those within a quotation do not count. News gives a full name
    once, and first. A headline or a caption that lost its full stop names the person of the sentence after it: "Pool quits
    board Ann Pool resigned on Monday".
    """
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    free = [mention for mention in mentions if not any(start <= mention.start < end for start, end in quoted)]
    names = [clean(mention.text) for mention in free]
    for number, name in enumerate(names):
        words = set(name.split())
        earlier = [at for at in range(number) if set(names[at].split()) <= words]
        if len(words) > 1 and any(not _are_relatives(text, free[at], free[number]) for at in earlier):
            return name
    return ""


def _are_relatives(text: str, first: Mention, second: Mention) -> bool:
    """Whether a family name is followed by a relative's full name: "President Clinton and his wife, Hillary Rodham Clinton"."""
    between = text[first.end : second.start]
    is_family_name = clean(first.text) == clean(second.text).split()[-1]
    return is_family_name and not re.search(r"[.;:!?]", between) and bool(KIN.search(between))


def embedded_post(text: str) -> str:
    """The web address or the mark of an embedded post, or an empty string."""
    return _shown(_POST.search(text))


def fragment(text: str) -> str:
    """The byline at the start of a sentence or the caption in it, or an empty string."""
    return _shown(_BYLINE.match(text)) or _shown(_CAPTION.search(_without_quotations(text)))


def video_caption(text: str, mentions: Sequence[Mention]) -> str:
    """The words that show the caption of a video or photo, whose subject is the first person; or an empty string."""
    if not mentions:
        return ""
    opening = text[: mentions[0].start].casefold().split()
    is_subject = len(opening) <= _MOST_BEFORE_NAME and not any(word in STARTERS or "," in word for word in opening)
    return _shown(_PRESENTS.match(text, mentions[0].end)) if is_subject else ""


def lone_quotation_mark(text: str) -> str:
    """The words after the last double quotation mark if their number is odd (a cut quotation), or an empty string."""
    marks = list(_MARKS.finditer(text))
    return text[marks[-1].start() :][:80] if len(marks) % 2 else ""


_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("broken-text", damage),
    ("broken-text", lone_quotation_mark),
    ("embedded-post", embedded_post),
    ("introduces-text", introduces_text),
    ("joins-sentences", joins_sentences),
    ("addresses-reader", addresses_reader),
    ("no-main-clause", fragment),
)
_PERSON_RULES: tuple[tuple[str, Callable[[str, Sequence[Mention]], str]], ...] = (
    ("joins-sentences", repeated_name),
    ("no-main-clause", video_caption),
)


def refusal(text: str, mentions: Sequence[Mention], off: frozenset[str] = frozenset()) -> tuple[str, str]:
    """The first reason (a key of ``REASONS``) to refuse a sentence by its text, and the words that show it; or two "".

    ``mentions``: the persons of the sentence, in its order. ``off``: the reasons that are switched off.
    """
    for reason, rule in _RULES:
        if reason not in off and (words := rule(text)):
            return reason, words
    for reason, person_rule in _PERSON_RULES:
        if reason not in off and (words := person_rule(text, mentions)):
            return reason, words
    return "", ""


def lost_boundary(words: Sequence[str], starts: Sequence[float]) -> str:
    """The words around the first place where a sentence starts without a stop before it, or an empty string.

    ``starts``: for each word, the log odds that a sentence starts there, by a model (``PageTagger.starts``).
    """
    found = (at for at, start in enumerate(starts) if start >= _LEAST_START and is_start(words, at))
    at = next(found, 0)
    return " ".join(words[max(0, at - _SHOWN) : at + 2]) if at else ""


def no_main_clause(sentence: Sentence) -> str:
    """The label of the whole tree if no verb can be the main verb of a clause, or an empty string.

    Taggers mistake a finite verb for a participle ("Bush vetoed") or a plural ("Bush plans to go"), and parsers label a
    sentence as a noun phrase. A sentence is refused only if no word outside dependent clauses is or may be a finite
    verb. A tree without phrases gives no evidence, and the sentence passes.
    """
    root = sentence.tree
    top = root.children[0] if len(root.children) == 1 else root
    flat = all(child.is_leaf for child in top.children)
    if flat:
        return ""
    relative = _all_finite_are_relative(sentence.tags)
    leaves = [leaf for leaf in sentence.leaves if not (relative and leaf.label in FINITE)]
    return "" if any(map(_may_be_main_verb, leaves)) else top.label


def _all_finite_are_relative(tags: Sequence[str]) -> bool:
    """Whether a relative pronoun precedes each finite verb: "the trial of Ann Poole, who is charged with manslaughter"."""
    before = ("", *tags)
    return all(before[number] in _RELATIVE for number, tag in enumerate(tags) if tag in FINITE)


def _may_be_main_verb(leaf: Node) -> bool:
    """Whether a word outside dependent clauses is tagged as a finite verb, or may be a finite verb with a wrong tag."""
    phrase = leaf.parent
    if phrase is None:
        return leaf.label in FINITE
    if leaf.word in _SAID:
        return True
    before = phrase.children[leaf.index - 1] if leaf.index else None
    # "Wednesday (VBN blasted) Trump": a participle that the parser attached to a name.
    if leaf.label == "VBN" and before is not None and before.label in {"NNP", "HYPH"} and phrase.label == "NP":
        return True
    heads_phrase = leaf.label in {"VBN", "NNS", "NNPS", "VB"} and phrase.label == "VP"
    # A participle with an object may be a verb: "scientists (VP (VBN released) (NP a letter))".
    has_object = leaf.label == "VBN" and any(child.label == "NP" for child in phrase.children)
    untagged = heads_phrase and (_has_subject(phrase) or has_object)
    return (leaf.label in FINITE or untagged) and not _in_dependent_clause(leaf)


def _has_subject(phrase: Node) -> bool:
    """Whether a noun phrase precedes a verb phrase, or the outermost verb phrase around it; not beside an auxiliary."""
    while phrase.parent is not None and phrase.parent.label == "VP":
        phrase = phrase.parent
        if any(child.is_leaf and child.label.startswith(("TO", "MD", "VB")) for child in phrase.children):
            return False
    clause = phrase.parent
    return clause is not None and any(child.label == "NP" for child in clause.children[: phrase.index])


def _in_dependent_clause(node: Node) -> bool:
    """Whether a node stands in a clause that a relative word or a conjunction opens."""
    above = node.parent
    while above is not None:
        if above.label == "SBAR" and len(above.children) > 1 and above.children[0].label.startswith(("WH", "IN")):
            return True
        above = above.parent
    return False
