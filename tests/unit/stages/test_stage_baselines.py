"""baselines: the four guesses worked out by hand, and the corpus without the articles that would give the answer away."""

import pytest

from support import fakes, make, stage_runs
from support.make import article
from wdw_build.errors import CorpusError
from wdw_build.records import ProblemAlternatives
from wdw_build.stages.baselines import STAGE, filled, read_text

LEAD = "Ann Ames told Bob Beck that the old bridge must close ."
PASSAGE = "Cleo Cole met Ann Ames. Ames left. Dora Dunn stayed with Cole, and Cole sang."
CHOICES = [("Cleo Cole", "Cole"), ("Ann Ames", "Ames"), "Dora Dunn"]
CORPUS = [
    article("x", "Mr Dunn slept. Dunn woke. Dunn ate. Nobody saw Ames."),
    article("y", "Ann Ames told them. Ann Ames told us. Cole DUNN dunn."),
]
COPY = article("z", "The old bridge must close, Ann Ames told Bob Beck. Cole Cole Cole Cole Cole.")
RUN = article("z", "He heard that Ann told Bob Beck that the day was over for them all. Cole Cole Cole Cole.")


def made(name="q", passage=PASSAGE, choices=CHOICES, answer=1, lead=LEAD):
    return make.problem(name, make.question(name, lead, "Ann Ames"), passage, choices, answer)


def guess(tmp_path, problems=None, corpus=CORPUS, model=None, **settings):
    """The predictions; every problem is an article with one alternative, unless it is a record of alternatives."""
    given = [made()] if problems is None else problems
    records = [one if isinstance(one, ProblemAlternatives) else make.alternatives(one) for one in given]
    inputs, model = {"dedup": records, "ingest": corpus}, model or fakes.BigramModel()
    return stage_runs.run_stage(STAGE, tmp_path, inputs, section=STAGE.config(**settings), language_model=model).records


def test_the_four_guesses_are_those_worked_out_by_hand_and_ties_go_to_the_choice_named_earlier(tmp_path):
    found = guess(tmp_path)["q"]
    places = [PASSAGE.index(name) for name in ("Cleo Cole", "Ann Ames", "Dora Dunn")]
    assert found.scores["first-person"] == tuple(-float(place) for place in places)
    assert found.scores["most-frequent"] == (3.0, 2.0, 1.0)
    assert found.guesses["first-person"] == found.guesses["most-frequent"] == 0
    assert (found.answer, found.choices) == (1, 3)
    # The last name is counted as it is written.
    assert found.scores["unigram"] == (1.0, 3.0, 3.0)
    assert found.guesses["unigram"] == found.guesses["ngram"] == 1
    # "<s> Ann", "Ann Ames" and "Ames told" stand in the corpus; "<s> Cleo" and "<s> Dora" do not.
    assert found.scores["ngram"][1] > max(found.scores["ngram"][0], found.scores["ngram"][2])


def test_without_ngram_no_language_model_is_asked_and_the_other_predictions_are_the_same(tmp_path):
    class NoModel:
        identity = "none"

    every, some = guess(tmp_path / "a")["q"], guess(tmp_path / "b", model=NoModel(), use=("unigram",))["q"]
    assert list(some.guesses) == ["first-person", "most-frequent", "unigram"]
    assert some.scores == {name: scores for name, scores in every.scores.items() if name != "ngram"}


def test_the_filled_sentence_has_the_name_in_the_place_of_the_whole_phrase():
    asked = make.question("q", "Then Mayor Ann Ames left.", "Mayor Ann Ames", person="Ann Ames")
    problem = make.problem("q", asked, "Ann Ames met Bo O'Dea.", ["Ann Ames", "Bo O'Dea"], 0)
    assert filled(problem, "Bo Ode") == ["Then", "Bo", "Ode", "left", "."]


@pytest.mark.parametrize("similar", [COPY, RUN])
def test_an_article_too_similar_to_a_question_is_left_out_of_model_and_counts(tmp_path, similar):
    on = guess(tmp_path / "on", corpus=[*CORPUS, similar])["q"]
    assert on.scores["unigram"][0] == 1.0
    assert guess(tmp_path / "off", corpus=[*CORPUS, similar], exclude_similar=False)["q"].scores["unigram"][0] > 1.0
    assert on.scores["ngram"] == guess(tmp_path / "without")["q"].scores["ngram"]


def test_an_article_is_left_out_for_any_question_not_only_its_own(tmp_path):
    corpus = [*CORPUS, article("z", "Nine grey goats to a deaf piper were sold by Ann Ames. Cole Cole.")]
    found = guess(tmp_path, [made(), made("r", lead="Ann Ames sold nine grey goats to a deaf piper .")], corpus)
    assert [*found] == ["q", "r"]
    assert found["q"].scores["unigram"][0] == 1.0


# --- alternatives -----------------------------------------------------------------------------------------------------

SECOND = "Dora Dunn saw Bob Beck. Ann Ames and Bob Beck left with Dora Dunn."


def alternatives():
    """Two passages of the last person's blank, then the first passage and a part of the second one's persons for another."""
    last, first = (make.question("q", LEAD, name) for name in ("Bob Beck", "Ann Ames"))
    return make.alternatives(
        make.problem("q", last, SECOND, ["Dora Dunn", "Bob Beck", "Ann Ames"], 1, article_id="p2"),
        make.problem("q", last, SECOND, ["Dora Dunn", "Bob Beck"], 1, article_id="p2"),
        make.problem("q", first, PASSAGE, CHOICES, 1, article_id="p1"),
    )


class CountingModel(fakes.BigramModel):
    """A model that lists the sentences that it scored."""

    def __init__(self):
        self.scored = []

    def score(self, folder, sentence):
        self.scored.append(" ".join(sentence))
        return super().score(folder, sentence)


def test_every_alternative_has_the_predictions_that_it_has_alone(tmp_path):
    record = alternatives()
    # The other blanks may take articles out of the language model's text, so nothing is taken out here.
    found = guess(tmp_path / "all", [record], exclude_similar=False)["q"]
    for number, (predicted, one) in enumerate(zip(found.each(), record.alternatives, strict=True)):
        alone = guess(tmp_path / str(number), [record.outline(number)], exclude_similar=False)["q"]
        assert (predicted.choices, predicted.answer) == (len(one.choices), one.answer)
        assert predicted == alone


def test_each_filled_sentence_of_an_article_is_scored_once(tmp_path):
    model = CountingModel()
    guess(tmp_path, [alternatives()], model=model)
    # Eight choices, two of them twice; and "Ann Ames told Bob Beck" is an answer for either blank.
    assert len(model.scored) == len(set(model.scored)) == 5


def test_an_article_is_left_out_for_the_words_beside_any_blank(tmp_path):
    """ "that the old bridge must" stands to the right of the last person only."""
    near = article("z", "He said: know that the old bridge must one day sink in this deep brown river. Cole Cole Cole.")
    with_last = guess(tmp_path / "on", [alternatives()], [CORPUS[0], near])["q"].of(2)
    first_only = guess(tmp_path / "off", [alternatives().outline(2)], [CORPUS[0], near])["q"]
    assert (with_last.scores["unigram"][0], first_only.scores["unigram"][0]) == (0.0, 3.0)


@pytest.mark.parametrize(("given", "words"), [({"problems": []}, "no problem"), ({"corpus": [COPY]}, "too similar")])
def test_without_problems_or_if_all_articles_are_similar_to_a_question_a_corpus_error_is_raised(tmp_path, given, words):
    with pytest.raises(CorpusError, match=words):
        guess(tmp_path, **given)


def test_of_too_much_text_evenly_spaced_lines_are_read_however_the_text_is_divided(tmp_path):
    lines = [f"line {number:03}\n".encode() for number in range(100)]
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder, part in zip(folders, (lines, lines[:37], lines[37:]), strict=True):
        folder.mkdir()
        (folder / "text").write_bytes(b"".join(part))

    def read(folders, most):
        return b"".join(read_text(folders, lambda _: None, most))

    assert read(folders[:1], 225) == read(folders[1:], 225) == b"".join(lines[::4])
    assert read(folders[1:], 900) == read(folders[1:], None) == b"".join(lines)
