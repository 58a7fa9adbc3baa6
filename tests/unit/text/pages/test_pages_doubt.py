"""doubt: four words in a row or a line that runs on decide; wires and texts without a doubtful line are not read."""

import msgspec
import pytest

from support.make import article
from wdw_build.records import Joined
from wdw_build.text.pages.doubt import Doubt, DoubtReader


def probabilities(texts):
    """Words in capitals are page text, those with a capital perhaps."""
    return [[(0.0 if word.isupper() else 0.6 if word.istitle() else 1.0,) for word in words] for words in texts]


def starts(texts):
    """A sentence may start at each article."""
    return [[1.0 if word == "The" else -8.0 for word in words] for words in texts]


MEANS = [
    (["the mayor left READ ALL ABOUT IT in town"], 1.0, "READ ALL ABOUT IT in town"),
    (["the mayor left READ about ALL of it"], 0.5, "left READ about ALL of it"),
    (["AD HERE.", "he slept."], 0.67, "AD HERE ."),
    (["the mayor left."], 0.0, "the mayor left ."),
]


@pytest.mark.parametrize(("paragraphs", "probability", "words"), MEANS)
def test_the_highest_mean_of_four_words_in_a_row_counts(paragraphs, probability, words):
    one = article("page", "\n\n".join(paragraphs))
    assert DoubtReader(probabilities, starts).of_articles([one]) == {"page": Doubt(probability, words)}


def test_each_article_is_read_once_and_only_if_a_line_is_doubtful():
    read = []

    def noted(texts):
        read.extend(texts)
        return probabilities(texts)

    page = article("page", "The ferry sank in the bay on Monday. READ ALL ABOUT IT. Share this on Facebook")
    wire = msgspec.structs.replace(page, id="wire", profile="wire")
    plain = article("plain", "The ferry sank in the bay on Monday, the mayor of the town said.")
    reader = DoubtReader(noted, starts)
    for _ in range(2):
        found = reader.of_articles([page, wire, plain])
        assert {name: doubt.probability for name, doubt in found.items()} == {"page": 1.0, "wire": 0.0, "plain": 0.0}
    assert len(read) == 1


OFTEN = Joined(openings=0.2, articles=0.3)


@pytest.mark.parametrize(("joined", "is_doubtful"), [(OFTEN, True), (Joined(), False)])
def test_a_line_that_may_run_on_is_a_doubt_in_a_source_with_many_of_them(joined, is_doubtful):
    text = "He spoke. HARBOUR OF TARN IN SPRING The mayor has left."
    page = msgspec.structs.replace(article("page", text), joined=joined)
    doubt = DoubtReader(lambda texts: [[(1.0,)] * len(words) for words in texts], starts).of_articles([page])["page"]
    assert (doubt.words == "HARBOUR OF TARN IN SPRING | The mayor has left .") is is_doubtful


def test_the_odds_of_a_line_that_runs_on_count_two_and_a_half_times(monkeypatch):
    monkeypatch.setattr("wdw_build.text.pages.joined_lines.judge", lambda _: 2 / 7)
    page = msgspec.structs.replace(article("page", "Harbour of Tarn in spring The mayor has left."), joined=OFTEN)
    assert DoubtReader(lambda texts: [[(1.0,)] * len(words) for words in texts], starts).of_sentences(
        [(page, page.text)]
    ) == [Doubt(0.5, "Harbour of Tarn in spring | The mayor has left .")]
