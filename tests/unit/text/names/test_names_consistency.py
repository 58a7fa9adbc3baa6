"""A name is settled once per article: what a tagger said in one sentence is weighed against the others."""

from collections.abc import Sequence

import pytest

from support.tables import cases
from wdw_build.records import TaggedName
from wdw_build.text.names.consistency import document_level_persons


def marked(text: str) -> tuple[list[str], list[TaggedName]]:
    """Read "[PERSON Ann Poole] spoke": brackets hold what the tagger found."""
    words: list[str] = []
    names: list[TaggedName] = []
    kind, start = "", 0
    for piece in text.split():
        if piece.startswith("["):
            kind, start = piece[1:], len(words)
            continue
        words.append(piece.rstrip("]"))
        if piece.endswith("]"):
            names.append(TaggedName(start, len(words), kind))
    return words, names


def persons(sentences: Sequence[str]) -> list[list[str]]:
    """Settle the marked sentences, and give the persons of each as text."""
    parts = [marked(sentence) for sentence in sentences]
    spans = document_level_persons([words for words, _ in parts], [names for _, names in parts])
    return [[" ".join(words[low:high]) for low, high in found] for (words, _), found in zip(parts, spans, strict=True)]


CASES = """
a family name that was missed is found | [PERSON Ann Poole] spoke . / Then Poole left . | Ann Poole / Poole
also where it opens the sentence | [PERSON Ann Poole] spoke . / Poole left . | Ann Poole / Poole
not where a capitalised word follows | [PERSON Ann Poole] spoke . / the Poole Motor Works | Ann Poole / -
not where the tagger says that it is a place | [PERSON Ann Poole] spoke . / near [LOC Poole] . | Ann Poole / -
a title is no part of another name | [PERSON Ann Poole] spoke . / so Mrs Poole left . | Ann Poole / Poole
a firm keeps its words | [PERSON Ann Ford] spoke . / [ORG Ford Motor] fell . | Ann Ford / -
a name that is mostly a firm is no person
    | [ORG Smith Barney] rose . / [PERSON Smith Barney] fell . / [ORG Smith Barney] closed . | - / - / -
one verdict against one: as tagged | [PERSON Lebed] spoke . / [ORG Lebed] left . | Lebed / -
a lone word that is mostly an organisation is no person
    | [PERSON Sangh] met . / the [ORG Sangh] said / the [ORG Sangh] left | - / - / -
a common word in small letters is no name | the poole of water / [PERSON Ann Poole] swam . | - / Ann Poole
an article without sentences has no persons | |
a full name with as many verdicts against it as for it is not settled
    | [PERSON Ann Poole] spoke . / [ORG Ann Poole] fell . / then Poole left . | Ann Poole / - / -
a family name behind another capitalised word may be another person | [PERSON Ann Poole] spoke . / so Bob Poole left .
    | Ann Poole / -
a family name may end the sentence | [PERSON Ann Poole] spoke . / then Poole | Ann Poole / Poole
another name elsewhere in the sentence changes nothing | [PERSON Ann Poole] spoke . / [LOC Cork] and then Poole left .
    | Ann Poole / Poole
"""


@pytest.mark.parametrize(("article", "expected"), cases(CASES))
def test_names_are_settled_over_the_sentences_of_an_article(article: str, expected: str) -> None:
    """Every case says in its id what holds. Slashes separate sentences, and commas persons; a dash means none."""
    sentences = article.split(" / ") if article else []
    assert " / ".join(", ".join(found) or "-" for found in persons(sentences)) == expected
