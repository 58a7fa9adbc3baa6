"""Mentions begin and end with a written word, and hold nothing that is no name."""

import re

import pytest

from wdw_build.text.names.mention_repair import over_initials, repair_mentions

# Tokens are written with "_" where no space stands between them and the next; a mention stands in square brackets.
CASES = [
    ("a hyphen at a token's end", "President [Chen Shui-]_bian left", "Chen Shui-bian"),
    ("a hyphen as a token", "[Ma Ying]_-_jeou left", "Ma Ying-jeou"),
    ("two tokens missing", "[Wang Jin]_-_pyng left", "Wang Jin-pyng"),
    ("the hyphen within the mention", "[Hsieh Hsin_-]_ping left", "Hsieh Hsin-ping"),
    ("a capital after the hyphen", "[Alvaro Lopez]_-_Portillo left", "Alvaro Lopez-Portillo"),
    ("a particle before the hyphen", "al_-_[Rantisi] left", "al-Rantisi"),
    ("a given name before the hyphen", "Jean_-_[Claude Juncker] left", "Jean-Claude Juncker"),
    ("two mentions in one written name", "[Jean]_-_[Claude Juncker] left", "Jean-Claude Juncker"),
    ("initials before", "J.R. [Simmonds] left", "J.R. Simmonds"),
    ("an adjective after the hyphen", "[Donald Trump]_-_backed bill", "Donald Trump"),
    ("an era", "[Reagan]_-_era laws", "Reagan"),
    ("a stance before the hyphen", "anti_-_[Trump] voters", "Trump"),
    ("another person after the hyphen", "the [Hillary Clinton]_-_Donald Trump debate", "Hillary Clinton"),
    ("another person before the hyphen", "the Hillary Clinton_-_[Donald Trump] debate", "Donald Trump"),
    ("a handle after the name", "[Mark Cuban (_@mcuban]_) left", "Mark Cuban"),
    ("a handle within", "[Dummy @mcuban] left", "Dummy"),
    ("a hash tag", "#_[MAGA] now", ""),
    ("only a handle", "[@mcuban] left", ""),
    ("an address", "[Ann Ames http://t.co/x] left", "Ann Ames"),
    ("a slash", "[Getty Images_/_Ann Ames] left", "Getty Images"),
    ("a bracket that is not closed", "[Trump (_Ohio] left", "Trump"),
    ("a nickname in brackets", "[William (_Bill_) Clinton] left", "William (Bill) Clinton"),
    ("an angle bracket", "[Ione Inc>] left", "Ione"),
    ("the end of a sentence", "like [Trump. Clinton] left", "Trump."),
    ("a comma", "[Becca_, Pepper] left", "Becca"),
    ("a comma before a suffix", "[Ann Ames_, Jr.] left", "Ann Ames, Jr."),
    ("an office after an organisation", "Legislative [Yuan Speaker Wang Jin-]_pyng left", "Wang Jin-pyng"),
    ("a title before the name", "[President Chen] left", "President Chen"),
    ("a particle with its hyphen", "al-_[Rantisi] left", "al-Rantisi"),
    ("a given name with its hyphen", "there Jean-_[Claude Juncker] left", "Jean-Claude Juncker"),
    ("a stance with its hyphen", "an anti-_[Trump] vote", "Trump"),
    ("another person with a hyphen", "the Hillary Clinton-_[Donald Trump] debate", "Donald Trump"),
    ("a hyphen that opens the sentence", "-_[Trump] left", "Trump"),
    ("a hyphen that ends the sentence", "[Ma Ying]_-", "Ma Ying"),
    ("the last word after a hyphen", "the [Mary Smith]_-_Jones", "Mary Smith-Jones"),
    ("one name, joined to a name before another", "met [Jean]_-_Claude Juncker", "Jean-Claude"),
    ("one name after a joined one", "met Jean_-_[Claude] today", "Jean-Claude"),
    ("one name behind a name and a hyphen", "met Ann Jean_-_[Claude] today", "Jean-Claude"),
    ("a letter after the hyphen", "[Ann Smith]_-_X left", "Ann Smith-X"),
    ("a handle before the mention", "@_[mcuban] now", ""),
    ("an address before the mention", "http://t.co/x [Ann Ames] left", "Ann Ames"),
    ("a break before the mention", "later ; [Ann Ames] left", "Ann Ames"),
    ("an office before one name", "[Yuan Speaker Wang] left", "Wang"),
    ("an office at the end", "[Wang Speaker] left", "Wang Speaker"),
    ("a mark before the name", "He met [' Ann Ames] there", "Ann Ames"),
    ("only a mark", "He left [']", ""),
    ("a mark after the name", "[Ann Ames -] left", "Ann Ames"),
    ("a bracket that closes behind the mention", "[Ann (_Bill]_) left", "Ann"),
    ("a full stop after a long word", "like [Trump . Clinton] left", "Trump"),
    ("a full stop after a short title", "like [Capt . Clinton] left", "Capt . Clinton"),
    ("a short name with its full stop", "[Beck. Clinton] left", "Beck. Clinton"),
    ("a word with a mark and a full stop", "[O'Neil. Ames] left", "O'Neil. Ames"),
    ("a particle at the end", "the king [Bashar al] left", "Bashar"),
    ("two particles at the end", "the king [Osama bin al] left", "Osama"),
    ("a capital at the end", "the king [Ann Van] left", "Ann Van"),
    ("a particle alone", "the [al] left", "al"),
    ("a state and an office", "the [UP LoP Akhilesh Yadav] left", "Akhilesh Yadav"),
    ("a quotation mark", '[Earvin "_Magic_" Johnson] left', 'Earvin "Magic" Johnson'),
    ("a particle after the hyphen", "[Hau Lung]_-_bin left", "Hau Lung-bin"),
    ("a nickname cut off", "told [Owen “ Pat] ” Ames", "Owen “ Pat ” Ames"),
    ("a nickname before the family name", 'Edward " Red " [Van Ames] left', 'Edward " Red " Van Ames'),
    ("a given name, a nickname, a family name", "[Joaquo] “ El Rojo ” [Ames] left", "Joaquo “ El Rojo ” Ames"),
    ("quoted words that open no name", "[Caity “ Oh Word] ? ” left", "Caity"),
    ("quoted words before a name", "the “ Red ” [Ames] left", "Ames"),
    ("a bracket that opens before the mention", "Lord (_[John_) Browne] left", "Browne"),
    ("a hyphen and a bracket in one token", "of (_[Bashir al -) Ames] left", "Ames"),
    ("in the way of", "à [la Obama] and", "Obama"),
    ("a sentence of one short word", "Sen. [Mike Lee. Cruz] left", "Mike Lee."),
    ("an abbreviated title that no list holds", "[Insp. Ames] left", "Insp. Ames"),
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
def test_a_mention_is_mended_to_whole_written_words_of_one_name(case, expected):
    assert "; ".join(shown(case)) == expected


def test_initials_of_places_are_no_initials_of_a_person():
    assert over_initials(["U.S.", "Anger"], 1) == 1
    assert over_initials(["J.", "R.", "Steele"], 2) == 0
