"""The labelled names: what the files hold, and that nothing of the test half is fitted to."""

import json
from collections import Counter, defaultdict

from quality.labelled_names import NAMES, NEITHER, PERSONS, STORIES, nearest, of_stories
from training.name_spans import words_around


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_name_has_a_known_label_and_its_place():
    labels = PERSONS | NEITHER | {"no", "credit"}
    for line in lines(NAMES):
        assert line["label"] in labels
        assert line["end"] - line["start"] == len(line["written"])
        assert line["label"] in line["readers"] or line["readers"][0] != line["readers"][1]


def test_the_test_half_is_apart_by_corpus_and_has_names_drawn_at_random():
    halves, drawn = defaultdict(set), Counter()
    for line in lines(NAMES):
        halves[line["corpus"]].add(line["test"])
        drawn[line["corpus"], line["drawn"]] += 1
    assert all(len(half) == 1 for half in halves.values())
    assert sum(True in half for half in halves.values()) >= 3
    assert all(drawn[corpus, "random"] >= 200 for corpus in halves if corpus != "uspress2016")


def test_a_name_is_where_the_text_has_it_next_to_its_place():
    text = "Ames left. Amesbury saw Ames, and Bob Ames."
    assert [nearest(text, "Ames", place) for place in (0, 13, 40)] == [0, 24, 38]
    assert nearest(text, "Cole", 0) is None


def test_stories_of_the_test_half_have_as_many_persons_as_things_and_no_name_of_the_others():
    stories = list(of_stories())
    test = [story for story in stories if story.test]
    assert Counter(story.label for story in test) == {"person": 150, "no": 150}
    assert {story.name for story in test}.isdisjoint(story.name for story in stories if not story.test)
    assert len({line["name"] for line in lines(STORIES)}) == len(stories)


def test_the_words_around_a_name_are_those_of_its_sentence():
    text = "It rained. Then Mr. Owen Poll-Ames left “Tarn”.\nHe slept."
    start = text.index("Owen")
    words, first, last = words_around(text, start, start + len("Owen Poll-Ames"))
    assert words == ["Then", "Mr", ".", "Owen", "Poll-Ames", "left", "“", "Tarn", "”", "."]
    assert words[first:last] == ["Owen", "Poll-Ames"]
