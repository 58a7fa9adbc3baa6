"""page_doubt: four words in a row decide, wherever they stand; wires and texts without a doubtful line are not read."""

import msgspec
import pytest

from support.make import article
from wdw_build.text.sentences.page_doubt import Doubt, DoubtReader, doubts


def probabilities(texts):
    """Words in capitals are page text, those with a capital perhaps."""
    return [[(0.0 if word.isupper() else 0.6 if word.istitle() else 1.0,) for word in words] for words in texts]


MEANS = [
    (["the mayor left READ ALL ABOUT IT in town"], 1.0, "READ ALL ABOUT IT in town"),
    (["the mayor left READ about ALL of it"], 0.5, "left READ about ALL of it"),
    (["AD HERE.", "he slept."], 0.67, "AD HERE ."),
    (["the mayor left."], 0.0, "the mayor left ."),
]


@pytest.mark.parametrize(("paragraphs", "probability", "words"), MEANS)
def test_the_highest_mean_of_four_words_in_a_row_counts(paragraphs, probability, words):
    assert doubts([("", paragraphs)], probabilities) == [Doubt(probability, words)]


def test_each_article_is_read_once_and_only_if_a_line_is_doubtful():
    read = []

    def noted(texts):
        read.extend(texts)
        return probabilities(texts)

    page = article("page", "The ferry sank in the bay on Monday. READ ALL ABOUT IT. Share this on Facebook")
    wire = msgspec.structs.replace(page, id="wire", profile="wire")
    plain = article("plain", "The ferry sank in the bay on Monday, the mayor of the town said.")
    reader = DoubtReader(noted)
    for _ in range(2):
        found = reader.of_articles([page, wire, plain])
        assert {name: doubt.probability for name, doubt in found.items()} == {"page": 1.0, "wire": 0.0, "plain": 0.0}
    assert len(read) == 1
