"""What the readers on an encoder read of a problem."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.reading import reading_problem
from support.tiny_encoder import make_tiny_encoder
from wdw_bench.systems import encoders
from wdw_bench.systems.encoders import ChoiceConfig
from wdw_bench.systems.encoders.inputs import ChoiceInputs, SpanInputs, WordPieces
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.reading import TrainingContext

WORDS = "ann bo fox lee ray won lost the cup match in may june . XXX xxx met rain fell all day on city".split()
PASSAGE = (
    "Rain fell all day. Ann Fox won the cup in May. Bo Lee lost the match. Lee met Fox. Rain fell on the city in June."
)
PROBLEM = reading_problem("In May XXX won the cup .", PASSAGE, [("Ann Fox", "Fox"), ("Bo Lee", "Lee"), "Ed Ray"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_tiny_encoder(tmp_path_factory.mktemp("encoder"), WORDS)


@pytest.fixture(scope="module")
def pieces(folder):
    return WordPieces(folder)


@pytest.fixture(scope="module")
def text(pieces):
    """Text of ids."""
    return lambda ids: " ".join(map(pieces._tokenizer.id_to_token, ids))


def test_a_choice_is_read_in_the_blank_before_the_sentences_that_mention_it(pieces, text):
    rows = ChoiceInputs(pieces, 64).encode(PROBLEM).rows
    assert text(rows[0].ids).startswith("[CLS] in may ann fox won the cup . [SEP]")
    assert text(rows[1].ids).startswith("[CLS] in may bo lee won the cup . [SEP]")
    # There is room for the whole passage.
    assert text(rows[0].ids[rows[0].first : rows[0].last]) == text(pieces.ids([PASSAGE])[0])


def test_a_full_row_has_the_sentences_selected_for_its_choice(pieces, text):
    rows = ChoiceInputs(pieces, 25).encode(PROBLEM).rows
    assert [len(row.ids) for row in rows] == [25] * 3
    first, second, third = (text(row.ids[row.first : row.last]) for row in rows)
    # Its sentences, then the one that shares most with the question, cut to 2 pieces; in the passage's order.
    assert first == "ann fox won the cup in may . lee met fox . rain fell"
    assert second == "ann fox won the bo lee lost the match . lee met fox ."
    # A choice without mentions gets the sentences that share most with the question.
    assert third == "ann fox won the cup in may . rain fell on the city"


def test_a_sentence_that_does_not_fit_is_cut(pieces, text):
    problem = reading_problem("XXX won .", "Ann Fox won the cup in May.", ["Ann Fox"])
    (row,) = ChoiceInputs(pieces, 3 + 4 + 5).encode(problem).rows
    assert text(row.ids) == "[CLS] ann fox won . [SEP] ann fox won the cup [SEP]"


def test_only_words_near_the_blank_of_a_long_question_are_read(pieces, text):
    problem = reading_problem("Rain fell all day on the city XXX met Lee in June .", "Lee fell.", ["Fox"])
    (row,) = ChoiceInputs(pieces, 2 + 5, reads_passage=False).encode(problem).rows
    assert text(row.ids) == "[CLS] the city fox met lee [SEP]"


def test_the_choice_follows_a_question_without_a_blank(pieces, text):
    problem = reading_problem("Ann won the cup in", "Lee fell.", ["May"])
    (row,) = ChoiceInputs(pieces, 32, reads_passage=False).encode(problem).rows
    assert text(row.ids) == "[CLS] ann won the cup in may [SEP]"


def test_the_windows_of_a_passage_overlap_and_have_every_mention(pieces, text):
    encoded = SpanInputs(pieces, 3 + 8 + 10, stride=4, max_windows=9).encode(PROBLEM)
    assert text(encoded.rows[0].ids).startswith("[CLS] in may [MASK] won the cup . [SEP] rain fell")
    windows = [row.ids[row.first : row.last] for row in encoded.rows]
    assert all(one[-4:] == other[:4] for one, other in pairwise(windows))
    assert windows[0] + [piece for window in windows[1:] for piece in window[4:]] == pieces.ids([PASSAGE])[0]
    found = {(span.choice, text(encoded.rows[span.row].ids[span.start : span.end + 1])) for span in encoded.mentions}
    assert found == {(0, "ann fox"), (0, "fox"), (1, "bo lee"), (1, "lee")}


def test_text_after_the_last_window_is_not_read(pieces):
    encoded = SpanInputs(pieces, 3 + 8 + 10, stride=4, max_windows=1).encode(PROBLEM)
    assert len(encoded.rows) == 1
    assert {span.choice for span in encoded.mentions} == {0}


def test_the_characters_of_pieces_are_those_of_the_passage(pieces):
    problem = reading_problem("XXX won .", "Zoë Fox won.", ["Zoë Fox"])
    (row,) = SpanInputs(pieces, 64, stride=4, max_windows=1).encode(problem).rows
    assert "".join(problem.passage[start:end] for start, end in row.characters) == "ZoëFoxwon."


TEXT = st.text(st.sampled_from("Ann Fox won.\n\ud800é"), max_size=80)


@given(TEXT, st.integers(16, 40))
def test_no_row_is_longer_than_allowed(pieces, passage, limit):
    problem = reading_problem(f"{passage[:40]} XXX {passage[40:]}", f"Fox {passage}", ["Ann Fox", "Bo"])
    choices, asked = ChoiceInputs(pieces, limit), ChoiceInputs(pieces, limit, reads_passage=False)
    for inputs in (choices, asked, SpanInputs(pieces, limit, stride=3, max_windows=2)):
        rows = inputs.encode(problem).rows
        assert rows
        assert all(len(row.ids) <= limit for row in rows)


def backends(folder, **settings):
    return encoders.CHOICE_ENCODER.backends(ChoiceConfig(**settings), TrainingContext(encoder=folder))


def test_the_encoder_of_the_package_is_found_and_identified():
    assert backends(None).keys() == {"torch", "transformers", "tokenizers", "safetensors", "encoder"}


def test_other_weights_are_another_backend(tmp_path, folder):
    other = make_tiny_encoder(tmp_path, WORDS, vocab_size=200)
    assert backends(folder, max_tokens=32)["encoder"] != backends(other, max_tokens=32)["encoder"]


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_folder_without_a_file_of_the_encoder_is_refused(tmp_path, folder, missing):
    for path in folder.iterdir():
        if path.name != missing:
            (tmp_path / path.name).symlink_to(path)
    with pytest.raises(MissingResourceError, match=missing):
        backends(tmp_path)


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(MissingResourceError, match="nowhere"):
        encoders.encoder_folder(TrainingContext(encoder=tmp_path / "nowhere"))


def test_longer_inputs_than_the_encoder_reads_are_refused(folder):
    with pytest.raises(ConfigError, match="max_tokens is 65"):
        backends(folder, max_tokens=65)
