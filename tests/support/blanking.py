"""What ``select_blank`` deletes, for a sentence that is given by its tree."""

from wdw_build.records import Tokens
from wdw_build.text.blanking.select_blank import select_blank
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.settings import QuestionsConfig


def tokens_of(sentence, text=None):
    """The tokens of a sentence where they stand in ``text``, by default with a space between any two."""
    # Trees write brackets in letters.
    words = tuple({"-LRB-": "(", "-RRB-": ")"}.get(word, word) for word in sentence.words)
    text = text or " ".join(words)
    spans, end = [], 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return Tokens(text=text, words=words, spans=tuple(spans))


def deleted(tree, name, options=None, text=None):
    """(words deleted, rule that refuses, its detail) for the first place of a name."""
    sentence = Sentence(tree)
    parts = name.split()
    start = next(at for at in range(len(sentence.words)) if sentence.words[at : at + len(parts)] == parts)
    tokens = tokens_of(sentence, text)
    found = select_blank(sentence, tokens, (start, start + len(parts)), options or QuestionsConfig())
    return " ".join(tokens.words[found.start : found.end]), found.rule, found.detail
