"""First sentences that give no question: introductions of another text, dialogue, fragments, embedded posts, damaged text.

Each rule returns the words that show the fault. ``no_main_clause`` reads the parse tree, ``lost_boundary`` the tree and the
probabilities of a model; all other rules read the text only and take microseconds. Most rules ignore words in quotation
marks. No rule judges whether a sentence is news.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from wdw_build.core.rule import Rule
from wdw_build.records import Mention
from wdw_build.text.blanking.trees import FINITE, Node, Sentence
from wdw_build.text.names.beside import KIN
from wdw_build.text.names.name import clean
from wdw_build.text.sentences.boundaries import LOST_END, STARTERS
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
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|``.*?''")
_MARKS = re.compile(r"[\"“”]|``|''")
# "My Lai" is a name.
_READER = re.compile(r"(?:(?:if|unless|whether) )?your?\b|let['’]s\b|my (?=(?-i:[a-z]))", re.IGNORECASE)
_WRITER = re.compile(r"(?<![\w.-])I(?:['’](?:m|ve|d|ll))? (?!and\b|, )[a-z]+")
_ASKS = re.compile(
    r"(?:who|what|when|where|why|how|which|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b.*\?\W*$",
    re.IGNORECASE | re.DOTALL,
)
# "BLITZER: Thank you"
_SPEAKER = re.compile(r"\W{0,2}[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,4} ?:\s")
# Two sentences, or a quotation with its speaker: "… a “racist.” The mayor left", "… again.” — Hillary Clinton She is right".
_AFTER_QUOTATION = re.compile(r"(?:[a-z]{2}\.[\"”]\s+[\"“‘]?|[.!?…][\"”]\s*[—–-]{1,3}\s*)[A-Z][\w.'’-]*")
_POST = re.compile(r"https?:|pic\.twitter|\(@\w+\)")
# The least probability at which a model's boundary counts.
_LEAST_START = 0.65
# Words before a boundary; a shorter text is a label.
_FEWEST_WORDS = 3
# Tags of the last word of a headline or a caption.
_MAY_END = frozenset("NN NNS NNP NNPS CD RB RP".split())
_SHOWN = 6


def _shown(match: re.Match[str] | None) -> str:
    return match[0].strip()[:80] if match else ""


def introduces_text(text: str) -> str:
    """The words that introduce another text, or an empty string."""
    text = text.strip(" \"“'(")
    return text[-40:] if text.endswith(":") else ""


def addresses_reader(text: str) -> str:
    """The words that address the reader, ask a question or mention the writer, or an empty string."""
    text = _QUOTED.sub("“”", text).lstrip(" -—–*•")
    writers = (_shown(match) for match in _WRITER.finditer(text) if not _is_numeral(text[: match.start()]))
    return _shown(_READER.match(text)) or next(writers, "") or _shown(_ASKS.match(text))


def _is_numeral(before: str) -> bool:
    """Whether an "I" after these words is a numeral ("World War I ended", "Elizabeth I of England")."""
    words = before.split()
    is_name = bool(words) and words[-1][0].isupper() and words[-1].isalpha()
    return is_name and (len(words) > 1 or words[0].casefold() not in STARTERS)


def joins_sentences(text: str) -> str:
    """The words where two sentences meet or a speaker is named, or an empty string."""
    return _shown(_SPEAKER.match(text) or _AFTER_QUOTATION.search(text) or LOST_END.search(_QUOTED.sub("“”", text)))


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
)


def refusal(text: str, mentions: Sequence[Mention], off: frozenset[str] = frozenset()) -> tuple[str, str]:
    """The first reason (a key of ``REASONS``) to refuse a sentence by its text, and the words that show it; or two "".

    ``mentions``: the persons of the sentence, in its order. ``off``: the reasons that are switched off.
    """
    for reason, rule in _RULES:
        if reason not in off and (words := rule(text)):
            return reason, words
    is_on = "joins-sentences" not in off
    return ("joins-sentences", words) if is_on and (words := repeated_name(text, mentions)) else ("", "")


def is_candidate(words: Sequence[str], number: int) -> bool:
    """Whether a sentence may start at a word: it has a capital, and the word before it is no punctuation."""
    return number >= _FEWEST_WORDS and words[number][:1].isupper() and words[number - 1][-1:].isalnum()


def lost_boundary(sentence: Sentence, starts: Sequence[float], names: Collection[tuple[int, int]]) -> str:
    """The words around the first lost boundary, or an empty string: a headline or a caption joined to the story.

    The tag before it has to agree with the model: hardly a headline ends with a verb, an article, a preposition or an adjective.

    ``starts`` are the model's probabilities for the tokens of the sentence; ``names`` are the token spans of its persons.
    """
    words = sentence.words
    for number in range(1, len(words)):
        is_likely = starts[number] >= _LEAST_START and sentence.tags[number - 1] in _MAY_END
        in_name = any(start < number < end for start, end in names)
        if is_likely and not in_name and is_candidate(words, number):
            return " ".join(words[max(0, number - _SHOWN) : number + 2])
    return ""


def no_main_clause(sentence: Sentence) -> str:
    """The label of the whole tree if no verb can be the main verb of a clause, or an empty string.

    Taggers mistake a finite verb for a participle ("Bush vetoed") or a plural ("Bush plans to go"), and parsers label a
    sentence as a noun phrase. A sentence is refused only if no word outside dependent clauses is or may be a finite
    verb. A tree without phrases gives no evidence, and the sentence passes.
    """
    root = sentence.tree
    top = root.children[0] if len(root.children) == 1 else root
    is_flat = all(child.is_leaf for child in top.children)
    return "" if is_flat or any(map(_may_be_main_verb, sentence.leaves)) else top.label


def _may_be_main_verb(leaf: Node) -> bool:
    """Whether a word outside dependent clauses is tagged as a finite verb, or may be a finite verb with a wrong tag."""
    phrase = leaf.parent or leaf
    heads_phrase = leaf.label in {"VBN", "NNS", "NNPS", "VB"} and phrase.label == "VP"
    # A participle with an object may be a verb: "scientists (VP (VBN released) (NP a letter))".
    has_object = leaf.label == "VBN" and any(child.label == "NP" for child in phrase.children)
    untagged = heads_phrase and (_has_subject(phrase) or has_object)
    return (leaf.label in FINITE or untagged) and not _in_dependent_clause(leaf)


def _has_subject(phrase: Node) -> bool:
    """Whether a noun phrase precedes a verb phrase, or the outermost verb phrase around it."""
    while phrase.parent is not None and phrase.parent.label == "VP":
        phrase = phrase.parent
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
