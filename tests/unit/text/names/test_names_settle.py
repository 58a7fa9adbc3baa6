"""The boundaries of mentions, settled by the other mentions of the article and by the corpus."""

import pytest

from support.marked import marked
from support.tables import cases
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.settle import settle

# Case, text with the mentions in brackets and \n for a line break, and the mentions as settled.
CASES = r"""
a full stop | She told [Ames.]\n\nHe left. | Ames
an abbreviation | She told [Owen Ames Jr.] so. | Owen Ames Jr.
a given name left out | [Ida Moss] left. Ida [Moss] slept. | Ida Moss; Ida Moss
the given name of another person | [Ida Moss] left. Paul [Moss] slept. | Ida Moss; Moss
a word that is also a given name | Will [Moss] win? | Moss
a word before a known name | [Briton Ida Moss] won. [Ida Moss] left. | Ida Moss; Ida Moss
an unknown given name | [Anneke Ida Moss] won. | Anneke Ida Moss
a second family name | [Ida Moss Ames] left. [Ida Moss] slept. | Ida Moss Ames; Ida Moss
letters after the name | [Ida Moss QC], a lawyer | Ida Moss
letters after a family name | [Ida Moss] won. [Moss QC] left. | Ida Moss; Moss
a family name that is a day | [Ida Monday] won. [Monday] left. | Ida Monday; Monday
the day after the name | [Ida Moss Monday] in Tarn | Ida Moss
a family name in capitals | [Ida Mae MOSS], a lawyer | Ida Mae MOSS
a name in capitals | [IDA MAE MOSS] LEFT | IDA MAE MOSS
a suffix in capitals | [Ida Moss III] left | Ida Moss III
a particle | the [von Moss] case | von Moss
a possessive before a name | the Saints' [Paul Moss] won, Saints' Ida Moss. | Paul Moss
a short word with a full stop | Sen. [Mike Lee.] He left. | Mike Lee
a verb of a headline | [Moss Leaves]\n\n[Ida Moss] leaves. [Moss] left. | Moss; Ida Moss; Moss
two joined family names | [Ida Moss] met [Bo Ames]. The [Moss-Ames] ticket. [Moss] and [Ames] won.
    | Ida Moss; Bo Ames; Moss; Ames; Moss; Ames
a double family name | [Ida Moss-Ames] left. [Moss-Ames] slept. | Ida Moss-Ames; Moss-Ames
a misspelt word in lower case before the name | [Ida Moss] left. The [lader Moss] slept. | Ida Moss; Moss
a mention that starts within a nickname | James ‘[Mad Dog’ Moss] left | James ‘Mad Dog’ Moss
a nickname after no given name | the ‘[Mad Dog’ Moss] left | Moss
the possessive of a name of two words | [Vale Motors’ Ida Moss] left | Ida Moss
two persons of a headline | [Moss Ames] ahead. [Ida Moss] met [Paul Ames]. [Ames] left, [Moss] slept.
    | Moss; Ames; Ida Moss; Paul Ames; Ames; Moss
two full names in a row | [Paul Ames John Moss] spoke. [John Moss] left. | Paul Ames; John Moss; John Moss
a name after a suffix | [Owen Pike Jr. Ames] left. | Owen Pike Jr.; Ames
a glued word | [Ida Moss] left. [Ida Mosson] Friday slept. | Ida Moss; Ida Moss
a family name that only begins like another | [Ida Moss] left. [Ida Mossel] slept. | Ida Moss; Ida Mossel
a nickname that is of the name | [Ida “Red” Moss] slept. | Ida “Red” Moss
"""


def test_a_mention_ends_before_a_name_of_another_kind_that_the_corpus_has():
    plain, mentions = marked("The [Moss White] House, and [Ida White] Ames left.")
    settled = settle(mentions, plain, NameEvidence(other={"white house": 9, "white ames": 1}))
    assert [mention.text for mention in settled] == ["Moss", "Ida White"]


@pytest.mark.parametrize(("text", "expected"), cases(CASES))
def test_mentions_end_where_the_article_shows_that_the_name_ends_and_are_settled_at_once(text, expected):
    plain, mentions = marked(text.replace(r"\n", "\n"))
    settled = settle(mentions, plain)
    assert "; ".join(mention.text for mention in settled) == expected
    assert all(plain[mention.start : mention.end] == mention.text for mention in settled)
    assert settle(settled, plain) == settled
