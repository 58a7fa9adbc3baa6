"""line_starts: the made lines from which the finder of starts learns."""

import random

from support.make import raw
from training.line_starts import MOST_WORDS, made, material, sentences_of
from wdw_build.text.sentences.boundaries import is_start

TEXT = (
    "Mayor Ann Ames opened the new harbour of Tarn on Monday. Karl Beck said the ferry was late again. "
    "Police found a boat near the old bridge. Nobody was hurt in the storm. It rained in Rill The mayor left the town."
)
ARTICLE = raw("a", title="Ferry owner leaves Tarn", paragraphs=[TEXT])


def test_sentences_end_in_a_full_stop_and_none_was_lost_in_them():
    assert [len(words) for words in sentences_of(ARTICLE)] == [12, 9, 9, 7]


def test_a_made_line_is_a_sentence_after_what_has_no_stop_and_a_start_is_where_a_sentence_begins():
    of = material([ARTICLE], [])._replace(
        captions=[["Ann", "Ames", "in", "Tarn", "."]], headings=[["A", "late", "ferry"]]
    )
    of = of._replace(others=[["Read", "more", "here"]])
    draw = random.Random(1)
    lines = [made(of, draw) for _ in range(300)]
    firsts = {words[0] for words in sentences_of(ARTICLE)}
    assert 60 < sum(bool(starts) for _, starts in lines) < 180
    for words, starts in lines:
        assert len(words) <= MOST_WORDS
        assert all(is_start(words, start) for start in starts)
        if starts:
            assert words[max(starts)] in firsts
            assert "." not in words[: max(starts)]
