"""Mentions have initials, and nothing that is no name."""

import re

import pytest

from wdw_build.text.names.mention_repair import over_initials, repair_mentions

# Tokens are written with "_" where no space stands between them and the next; a mention stands in square brackets.
CASES = [
    ("initials before", "J.R. [Simmonds] left", "J.R. Simmonds"),
    ("initials that are a mention", "[J.] [Simmonds] left", "J. Simmonds"),
    ("a handle after the name", "[Mark Cuban (_@mcuban]_) left", "Mark Cuban"),
    ("a handle within", "[Dummy @mcuban] left", "Dummy"),
    ("a hash tag", "#_[MAGA] now", ""),
    ("only a handle", "[@mcuban] left", ""),
    ("a handle before the mention", "@_[mcuban] now", ""),
    ("a sign with a space", "@ [Ann Ames] now", "Ann Ames"),
    ("an address", "[Ann Ames http://t.co/x] left", "Ann Ames"),
    ("an address before the mention", "http://t.co/x [Ann Ames] left", "Ann Ames"),
    ("a slash", "[Getty Images_/_Ann Ames] left", "Getty Images"),
    ("a bracket", "[Trump (_Ohio] left", "Trump"),
    ("a bracket that opens before the mention", "President (_[Ida_) Moss] left", "Moss"),
    ("a particle at the end", "the king [Bashar al] left", "Bashar"),
    ("a mark at the end", "so [Bill Moss “] Pop", "Bill Moss"),
    ("an angle bracket", "[Ione Inc>] left", "Ione"),
    ("a comma", "[Becca_, Pepper] left", "Becca"),
    ("a comma before a suffix", "[Ann Ames_, Jr.] left", "Ann Ames, Jr."),
    ("a break before the mention", "later ; [Ann Ames] left", "Ann Ames"),
    ("only a mark", "He left [']", ""),
    ("a quotation mark", '[Earvin "_Magic_" Johnson] left', 'Earvin "Magic" Johnson'),
    ("a hyphen at the end of a token", "President [Chen Shui-]_bian left", "Chen Shui-bian"),
    ("two mentions in one written name", "[Jean]_-_[Claude Juncker] left", "Jean-Claude Juncker"),
    ("a hyphen with spaces", "[Ann Ames] - [Bo Beck] left", "Ann Ames; Bo Beck"),
    ("a hyphen at the end of a sentence", "[Ma Ying-]", "Ma Ying-"),
    ("a hyphen after the name", "[Donald Trump]_-_backed bill", "Donald Trump"),
    ("a mention without a name before others", "[@mcuban] met [Ann Ames] and [Bob Beck]", "Ann Ames; Bob Beck"),
    ("two mentions side by side", "[Ann] [Beck] left", "Ann; Beck"),
]


def read(case):
    """(tokens, their characters, mentions as token spans, the text)."""
    words, spans, mentions, text, start = [], [], [], "", None
    for piece in re.split(r"( |_)", case):
        if piece in {" ", "_"}:
            text += piece.strip("_")
            continue
        if piece.startswith("["):
            start = len(words)
        word = piece.strip("[]")
        words.append(word)
        spans.append((len(text), len(text) + len(word)))
        text += word
        if piece.endswith("]"):
            mentions.append((start, len(words)))
    return words, spans, mentions, text


def shown(case):
    """The mentions as mended, which mending again does not change."""
    words, spans, mentions, text = read(case)
    mended = repair_mentions(words, spans, mentions)
    assert repair_mentions(words, spans, mended) == mended
    return [text[spans[start][0] : spans[end - 1][1]] for start, end in mended]


@pytest.mark.parametrize(("case", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_mention_is_mended_to_one_name(case, expected):
    assert "; ".join(shown(case)) == expected


def test_initials_of_places_are_no_initials_of_a_person():
    assert over_initials(["U.S.", "Anger"], 1) == 1
    assert over_initials(["J.", "R.", "Steele"], 2) == 0
