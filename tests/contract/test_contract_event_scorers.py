"""All event scorers: a rounded probability that depends only on the question, its article and one candidate."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import fakes
from wdw_build.adapters import sentence_models
from wdw_build.adapters.event_scorers import EncoderScorer
from wdw_build.adapters.sentence_models import SentenceEncoder
from wdw_build.errors import MissingResourceError
from wdw_build.pipeline.backends import Backends, backend
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.ports import ArticleText, EventQuestion
from wdw_build.text.passages.evidence import cosines_with
from wdw_build.text.passages.same_event import Frequencies
from wdw_build.text.settings import RetrieveConfig

COUNTS = {"the": 1000, "of": 990, "minister": 80, "said": 700, "a": 990}
FREQUENCIES = Frequencies(articles=1000, counts=COUNTS, least=2)
QUESTION = "Prime Minister Helen Marsh resigned on Monday after the collapse of the Arn bridge killed 61 people."
OWN = ArticleText(
    "own", 100, "Prime minister resigns over bridge", [QUESTION, "Her party will choose a successor in May."]
)
QUIT = "Helen Marsh stepped down as prime minister because of the Arn bridge disaster."
SAME = ArticleText("same", 101, "Marsh quits", [QUIT, "The bridge fell in March.", "Sixty-one people died."])
COMEDY = "The festival opened with a comedy about two cooks."
ROW = "Helen Marsh sat in the third row."
OTHER = ArticleText("other", 105, "Film festival opens", [COMEDY, ROW, "Critics liked the music."])
ODD = [
    ArticleText("empty", 100, "", []),
    ArticleText("blank", 100, " ", [" ", "\t"]),
    ArticleText("no-words", 100, "!?", ["-- ** --", "…"]),
    ArticleText("accents", 90, "Łódź à l’été", ["Žižka čekal na průvod.", "総理大臣が辞任した。", "😀 مرحبا"]),
    ArticleText("surrogate", 130, "cut \ud83d", ["A lone \ud83d surrogate and a \x00 zero."]),
    ArticleText("endless", 100, "x", ["x" * 200_000]),
    ArticleText("long", 100, "Transcript", [f"Speaker {number} said the bridge fell." for number in range(5_000)]),
    ArticleText("far", -400_000, SAME.title, SAME.sentences),
]
WORDS = st.lists(st.sampled_from("Marsh bridge the Łódź fell \ud800 61 …".split()), max_size=8).map(" ".join)
SENTENCES = st.lists(WORDS, max_size=5).map(tuple)
ARTICLES = st.builds(ArticleText, st.sampled_from("abc"), st.integers(0, 20_000), WORDS, SENTENCES)


def config(name, folder):
    corpus = CorpusConfig(reader="jsonl", path="unused")
    return Config(run="contract", output_dir=str(folder), corpus=corpus, retrieve=RetrieveConfig(event_scorer=name))


@pytest.fixture(scope="module", params=["fake", "lexical", pytest.param("encoder", marks=pytest.mark.real)])
def scorer(request, tmp_path_factory):
    if request.param == "fake":
        return fakes.FakeEventScorer()
    return backend(config(request.param, tmp_path_factory.mktemp("vectors")), "event_scorer")


def new(scorer):
    """A scorer of the same class that has scored nothing."""
    return EncoderScorer(SentenceEncoder()) if isinstance(scorer, EncoderScorer) else type(scorer)()


def scores(scorer, *candidates, question=QUESTION, own=OWN, frequencies=FREQUENCIES):
    return scorer.score([EventQuestion(question, own, candidates)], frequencies)[0]


def test_a_report_of_the_event_scores_high_and_another_story_of_the_person_low(scorer):
    same, other = scores(scorer, SAME, OTHER)
    assert same > 0.5 > 0.2 > other


def test_a_score_is_a_likelihood_of_three_decimals_whatever_the_candidate(scorer):
    found = scores(scorer, SAME, OTHER, *ODD)
    assert len(found) == 2 + len(ODD)
    assert all(type(score) is float and 0.0 <= score <= 1.0 and score == round(score, 3) for score in found)


@pytest.mark.parametrize("odd", ODD, ids=lambda article: article.id)
def test_an_odd_article_of_the_question_stops_nothing(scorer, odd):
    question = odd.sentences[0] if odd.sentences else ""
    assert all(0.0 <= score <= 1.0 for score in scores(scorer, SAME, odd, question=question, own=odd))


def test_no_candidates_have_no_scores(scorer):
    assert scores(scorer) == []


def test_a_score_does_not_depend_on_the_other_questions(scorer):
    asked = [(QUESTION, OWN, [SAME, *ODD]), ("It rained.", OTHER, []), ("", ODD[0], [OTHER])]
    asked = [EventQuestion(*one) for one in asked]
    assert scorer.score(asked, FREQUENCIES) == [scorer.score([one], FREQUENCIES)[0] for one in asked]


def test_a_scorer_that_has_scored_others_gives_what_a_new_one_gives(scorer):
    scores(scorer, OTHER, own=SAME)
    assert scores(scorer, SAME, OTHER) == scores(new(scorer), SAME, OTHER)


def test_another_text_under_the_same_id_has_a_score_of_its_own(scorer):
    before = scores(scorer, SAME)
    assert scores(scorer, OTHER._replace(id=SAME.id)) == scores(scorer, OTHER)
    assert scores(scorer, SAME) == before


def test_other_frequencies_are_not_mixed_with_those_of_another_corpus(scorer):
    other = Frequencies(articles=50, counts={"bridge": 50, "marsh": 50}, least=1)
    before = scores(scorer, SAME)
    assert scores(scorer, SAME, frequencies=other) == scores(new(scorer), SAME, frequencies=other)
    assert scores(scorer, SAME) == before


def test_a_farther_day_never_scores_higher_and_before_counts_as_after(scorer):
    found = [scores(scorer, SAME._replace(day=OWN.day + days))[0] for days in (0, 1, 3, 7, 14)]
    assert found == sorted(found, reverse=True)
    assert scores(scorer, SAME._replace(day=OWN.day - 3)) == [found[2]]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(own=ARTICLES, candidates=st.lists(ARTICLES, min_size=1, max_size=4), question=WORDS)
def test_any_articles_have_scores_that_stand_alone(scorer, own, candidates, question):
    found = scores(scorer, *candidates, question=question, own=own)
    assert all(0.0 <= score <= 1.0 for score in found)
    assert found == [scores(scorer, one, question=question, own=own)[0] for one in candidates]


def test_the_identities_differ(tmp_path):
    identities = {Backends(config(name, tmp_path)).identity("event_scorer") for name in ("lexical", "encoder")}
    assert len(identities) == 2


@pytest.mark.parametrize("lacking", ["model.pt", "tokenizer.json"])
def test_a_missing_file_of_the_encoder_is_reported_before_it_is_used(tmp_path, lacking):
    for name in ("model.pt", "tokenizer.json"):
        if name != lacking:
            (tmp_path / name).touch()
    with pytest.raises(MissingResourceError, match=lacking) as caught:
        _ = sentence_models.SentenceEncoder(tmp_path).identity
    assert "retrieve.event_scorer" in caught.value.hint


def test_a_missing_library_of_the_encoder_is_reported_before_it_is_used(monkeypatch):
    monkeypatch.setattr(sentence_models, "_LIBRARIES", ("torch", "not-installed-anywhere"))
    with pytest.raises(MissingResourceError, match="not-installed-anywhere"):
        _ = sentence_models.SentenceEncoder().identity


@pytest.fixture(scope="module")
def encoder():
    return sentence_models.SentenceEncoder()


@pytest.mark.real
def test_a_sentence_s_vector_is_a_unit_vector_that_its_neighbours_do_not_change(encoder):
    texts = [QUESTION, *SAME.sentences, *OTHER.sentences, ""]
    alone = [encoder.vectors([text])[0] for text in texts]
    for vector, single, exact in zip(encoder.vectors(texts), alone, encoder.vectors(texts, exact=True), strict=True):
        assert vector.shape == (384,)
        assert float(exact @ exact) == pytest.approx(1.0, abs=1e-12)
        assert abs(vector - exact).max() < 1e-6
        assert abs(single - exact).max() < 1e-6


@pytest.mark.real
def test_a_rounded_cosine_is_the_exact_one_alone_and_beside_others(encoder):
    texts = [*SAME.sentences, *OTHER.sentences, "Marsh", " ".join([QUESTION] * 5)]
    asked, *exact = encoder.vectors([QUESTION, *texts], exact=True)
    cosines = [round(float(asked @ vector), 3) for vector in exact]
    assert cosines_with(encoder, QUESTION, texts) == cosines
    assert [cosines_with(encoder, QUESTION, [text])[0] for text in texts] == cosines


@pytest.mark.real
def test_sentences_of_one_meaning_are_nearer_than_sentences_of_one_word(encoder):
    meaning, word = "The secretary of state stepped down.", "The minister likes ham."
    near, far = cosines_with(encoder, "The minister resigned.", [meaning, word])
    assert near > far


@pytest.mark.real
def test_a_damaged_model_is_reported_with_what_to_do(tmp_path):
    (tmp_path / "model.pt").write_bytes(b"no model")
    shipped = sentence_models.BUNDLED / "encoder" / "tokenizer.json"
    (tmp_path / "tokenizer.json").write_bytes(shipped.read_bytes())
    with pytest.raises(MissingResourceError, match="cannot load") as caught:
        sentence_models.SentenceEncoder(tmp_path).vectors([QUESTION])
    assert "install the package again" in caught.value.hint
