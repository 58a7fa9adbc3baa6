"""The encoder scorer: which texts it encodes, and the scores of candidates that it does not encode."""

import numpy as np
import pytest

from wdw_build.adapters import event_scorers
from wdw_build.ports import ArticleText, EventQuestion
from wdw_build.text.passages import same_event
from wdw_build.text.passages.same_event import Frequencies, likelihood

FREQUENCIES = Frequencies(articles=1000, counts={"the": 1000, "of": 990, "said": 700}, least=2)
QUESTION = "Helen Marsh resigned after the collapse of the Arn bridge."
OWN = ArticleText("own", 100, "Marsh resigns", [QUESTION])
SENTENCES = ["Helen Marsh resigned over the Arn bridge.", "It rained.", "The bridge fell after rain.", "Trucks wait."]
NEAR = ArticleText("near", 100, "Marsh gone", SENTENCES)
FAR = ArticleText("far", 100, "Cooking", ["The soup of the day is leek.", "Stir well."])


class Listed:
    """An encoder that records its inputs; all cosines of different texts are the given one."""

    def __init__(self, cosine):
        self.texts, self._vectors, self._cosine = [], {}, cosine

    def vectors(self, texts, exact=False):
        self.texts += texts
        for text in texts:
            if text not in self._vectors:
                own = np.zeros(20)
                own[0], own[len(self._vectors) + 1] = np.sqrt(self._cosine), np.sqrt(1 - self._cosine)
                self._vectors[text] = own
        return [self._vectors[text] for text in texts]


def scored(candidate, cosine):
    listed = Listed(cosine)
    scorer = event_scorers.EncoderScorer(listed)
    return scorer.score([EventQuestion(QUESTION, OWN, [candidate])], FREQUENCIES)[0][0], set(listed.texts), scorer


def test_a_candidate_that_shares_no_word_is_not_encoded_and_keeps_its_lexical_score():
    score, texts, _ = scored(FAR._replace(day=107), 0.9)
    assert texts == set()
    assert score < event_scorers.RULED_OUT


def test_of_a_candidate_that_shares_words_the_leads_alone_are_encoded():
    _, texts, _ = scored(NEAR, 0.6)
    assert texts == {f"Marsh resigns {QUESTION}", " ".join(["Marsh gone", *SENTENCES[:3]])}


@pytest.mark.parametrize("cosine", [0.0, 0.3, 0.6, 0.8])
@pytest.mark.parametrize("day", [100, 103, 110, 190])
def test_a_candidate_that_is_not_ruled_out_has_the_score_of_all_features(cosine, day):
    candidate = NEAR._replace(day=day)
    score, _, scorer = scored(candidate, cosine)
    (whole,) = scorer.figures(QUESTION, OWN, [candidate], FREQUENCIES)
    full = likelihood(event_scorers.ENCODER_WEIGHTS, whole)
    assert score == full or score < event_scorers.RULED_OUT


@pytest.mark.parametrize("weights", [event_scorers.ENCODER_WEIGHTS, same_event.WEIGHTS])
def test_more_in_common_never_lowers_a_score_and_more_days_never_raise_it(weights):
    assert all(weight > 0 for weight in weights[1:-1])
    assert weights[-1] < 0
