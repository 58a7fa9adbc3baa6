"""Passages are drawn by seed, stored with the collection, and refused with other settings."""

from types import SimpleNamespace

import pytest

from support import make
from support.collected import CHOIR, HARBOUR
from wdw_build.core.progress import Progress
from wdw_build.errors import UsageError
from wdw_study.collecting.collection import DrawOptions, draw_collection
from wdw_study.collecting.passages import is_suitable, passage_text
from wdw_study.collecting.questions import REFUSED
from wdw_study.collecting.rules import Limits
from wdw_study.people import SIGNED_IN

LONG = HARBOUR + "\n\n" + CHOIR + "\n\n" + "The council met at noon and left at one. " * 6


class Splitter:
    def sentences(self, text):
        return [f"{piece}." if not piece.endswith(".") else piece for piece in text.split(". ") if piece]


class Articles(list):
    exists = True
    manifest = SimpleNamespace(content_hash="abc")


def run(count=6, text=LONG):
    return SimpleNamespace(name="toy", articles=Articles(make.article(f"a{number}", text) for number in range(count)))


def drawn(folder, toy=None, name="questions", **options):
    toy = toy or run()
    toy.folder = folder
    return draw_collection(toy, name, DrawOptions(**options), Splitter(), Progress())


def test_a_passage_needs_words_pronouns_and_names():
    assert is_suitable(LONG)
    assert not is_suitable(HARBOUR)  # 38 words
    assert not is_suitable(LONG.replace("She", "Mira").replace("she", "Mira").replace("He", "Tom").replace("Her", "A"))
    assert not is_suitable(LONG.replace("Dahl", "").replace("Fenn", "").replace("Tomas", "").replace("Olt", ""))


def test_a_title_at_the_start_of_a_sentence_is_no_name():
    base = "he he he " + "word " * 80
    assert not is_suitable(base + "The Council met. On Monday it left. Ines Dahl spoke.")
    assert not is_suitable(base + "Ines Dahl’s men met Ines Dahl.")
    assert is_suitable(base + "Tomas Reik spoke. Ines Dahl spoke.")


def test_a_passage_has_whole_paragraphs():
    assert passage_text(("one two", "three four", "five"), 4) == "one two\n\nthree four"
    assert passage_text(("one two three",), 2) == ""


def test_the_same_seed_draws_the_same_passages_and_the_sentences_are_in_the_text(tmp_path):
    first, second = (drawn(tmp_path / name, passages=3, seed=7) for name in ("one", "two"))
    assert first.items == second.items
    assert len({passage.id for passage in first.items}) == 3
    assert drawn(tmp_path / "three", passages=3, seed=8).items != first.items
    passage = first.items[0]
    assert passage.text[slice(*passage.sentences[0])] == "Ines Dahl has run the port of Vessing for nine years."


def test_a_collection_that_people_worked_on_refuses_other_options(tmp_path):
    first = drawn(tmp_path, passages=3, limits=Limits(adversary=0.7))
    assert (first.head.limits.adversary, first.head.adversary) == (0.7, "shallow")
    first.log.append("Ada", SIGNED_IN, value=False)
    again = drawn(tmp_path, passages=4, adversary="none")
    assert (len(again.items), again.head.adversary) == (4, "none")
    again.log.append("Ada", REFUSED, again.items[0].id)
    assert drawn(tmp_path, passages=4, adversary="none").items == again.items
    for other in ({"passages": 3, "adversary": "none"}, {"passages": 4}):
        with pytest.raises(UsageError, match="people worked on it"):
            drawn(tmp_path, **other)


def test_too_few_passages_are_named(tmp_path):
    with pytest.raises(UsageError, match="has 6 passages"):
        drawn(tmp_path, passages=7)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc", "a\nb", "a b"])
def test_a_collection_has_a_plain_name(tmp_path, name):
    with pytest.raises(UsageError):
        drawn(tmp_path, passages=1, name=name)
