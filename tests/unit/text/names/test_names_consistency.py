"""A name is settled once per article: what a tagger said in one sentence is weighed against the others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

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


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "Ann Poole left ."],
            [["Ann Poole"], ["Ann Poole"]],
            id="a full name that was missed once is found",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "Then Poole left ."],
            [["Ann Poole"], ["Poole"]],
            id="a family name that was missed is found",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "Poole left ."],
            [["Ann Poole"], ["Poole"]],
            id="also where it opens the sentence",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "the Poole Motor Works"],
            [["Ann Poole"], []],
            id="not where a capitalised word follows",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "near [LOC Poole] ."],
            [["Ann Poole"], []],
            id="not where the tagger says that it is a place",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "Mrs [LOC Poole] left ."],
            [["Ann Poole"], ["Poole"]],
            id="unless a title stands before it",
        ),
        pytest.param(
            ["[PERSON Ann Ford] spoke .", "[ORG Ford Motor] fell ."], [["Ann Ford"], []], id="a firm keeps its words"
        ),
        pytest.param(
            ["[ORG Smith Barney] rose .", "[PERSON Smith Barney] fell .", "[ORG Smith Barney] closed ."],
            [[], [], []],
            id="a name that is mostly a firm is no person",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "[LOC Ann Poole] left .", "[PERSON Ann Poole] sat ."],
            [["Ann Poole"], ["Ann Poole"], ["Ann Poole"]],
            id="a full name that is mostly a person always is",
        ),
        pytest.param(
            ["ANN POOLE NAMED CHAIRMAN", "[PERSON Ann Poole] was named ."],
            [["ANN POOLE"], ["Ann Poole"]],
            id="a headline in capitals names the same person",
        ),
        pytest.param(
            ["POOLE NAMED CHAIRMAN", "[PERSON Ann Poole] was named ."],
            [[], ["Ann Poole"]],
            id="a family name alone in capitals is left as the tagger had it",
        ),
        pytest.param(
            ["Moon [PERSON Jae-sung] spoke .", "[PERSON Moon Jae-sung] left .", "[PERSON Moon Jae-sung] sat ."],
            [["Moon Jae-sung"], ["Moon Jae-sung"], ["Moon Jae-sung"]],
            id="a name cut short is made whole",
        ),
        pytest.param(
            ["[PERSON Lebed] spoke .", "[ORG Lebed] left ."], [["Lebed"], []], id="one verdict against one: as tagged"
        ),
        pytest.param(
            ["[PERSON Sangh] met .", "the [ORG Sangh] said", "the [ORG Sangh] left"],
            [[], [], []],
            id="a lone word that is mostly an organisation is no person",
        ),
        pytest.param(
            ["the poole of water", "[PERSON Ann Poole] swam ."],
            [[], ["Ann Poole"]],
            id="a common word in small letters is no name",
        ),
        pytest.param([], [], id="an article without sentences has no persons"),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "[PERSON Poole] left .", "[ORG Poole] fell .", "[ORG Poole] rose ."],
            [["Ann Poole"], ["Poole"], [], []],
            id="a family name stays where it is tagged, however often it is something else",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "[ORG Ann Poole] fell .", "then Poole left ."],
            [["Ann Poole"], [], []],
            id="a full name with as many verdicts against it as for it is not settled",
        ),
        pytest.param(
            ["[PERSON President Ann Poole] spoke .", "Ann Poole 's aide left ."],
            [["President Ann Poole"], ["Ann Poole"]],
            id="a title is no part of the full name",
        ),
        pytest.param(
            ["[PERSON Ann Poole 's] spoke .", "then Ann Poole left ."],
            [["Ann Poole 's"], ["Ann Poole"]],
            id="a clitic is no part of the full name",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "so Bob Poole left ."],
            [["Ann Poole"], []],
            id="a family name behind another capitalised word may be another person",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "then Poole"],
            [["Ann Poole"], ["Poole"]],
            id="a family name may end the sentence",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "[LOC Cork] and then Poole left ."],
            [["Ann Poole"], ["Poole"]],
            id="another name elsewhere in the sentence changes nothing",
        ),
        pytest.param(
            ["[PERSON Ann Poole] spoke .", "the [ORG Ann Poole Club] met ."],
            [["Ann Poole"], []],
            id="a longer name of another kind keeps the full name",
        ),
        pytest.param(
            ["[PERSON Ann Mary Poole] and [PERSON Ann Mary] spoke .", "so Ann Mary Poole left ."],
            [["Ann Mary Poole", "Ann Mary"], ["Ann Mary Poole"]],
            id="of two full names in one place the longer stands",
        ),
    ],
)
def test_what_is_settled(sentences: list[str], expected: list[list[str]]) -> None:
    """Every case says in its id what holds."""
    assert persons(sentences) == expected
