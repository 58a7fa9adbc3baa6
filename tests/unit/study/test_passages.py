"""Passages are drawn by seed, stored with the collection, and refused with other settings."""

import datetime as dt
from types import SimpleNamespace

import pytest
from wdw_study.collection.collection_folder import folder_of, open_collection, open_or_draw
from wdw_study.collection.passages import is_suitable, passage_text
from wdw_study.collection.question_state import REFUSED

from support.collected import CHOIR, HARBOUR
from wdw_build.core.progress import Progress
from wdw_build.errors import CorpusError, UsageError
from wdw_build.records import Article
from wdw_study.people import SIGNED_IN

LONG = HARBOUR + "\n\n" + CHOIR + "\n\n" + "The council met at noon and left at one. " * 6


class Splitter:
    def sentences(self, text):
        return [f"{piece}." if not piece.endswith(".") else piece for piece in text.split(". ") if piece]


class Articles(list):
    exists = True
    manifest = SimpleNamespace(content_hash="abc")


def run(count=6, text=LONG):
    articles = Articles(
        Article(id=f"a{number}", date=dt.date(2014, 3, 1), source="Wire", kind="story", title=f"Title {number}",
                dateline="", paragraphs=tuple(text.split("\n\n")))
        for number in range(count)
    )  # fmt: skip
    return SimpleNamespace(name="toy", articles=articles)


def opened(folder, toy=None, **asked):
    return open_or_draw(folder, lambda: toy or run(), asked, Splitter, Progress())


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
    first, second = (opened(tmp_path / name, passages=3, seed=7) for name in ("one", "two"))
    assert first.passages == second.passages
    assert len({passage.id for passage in first.passages}) == 3
    assert opened(tmp_path / "three", passages=3, seed=8).passages != first.passages
    passage = first.passages[0]
    assert passage.text[slice(*passage.sentences[0])] == "Ines Dahl has run the port of Vessing for nine years."


def test_a_collection_goes_on_with_its_settings_and_refuses_others(tmp_path):
    drawn = opened(tmp_path / "c", passages=3, max_f1=0.7)
    drawn.log.append("Ada", REFUSED, drawn.passages[0].id)
    assert drawn.collection.limits.adversary == 0.7
    assert opened(tmp_path / "c").passages == drawn.passages
    assert opened(tmp_path / "c", passages=3).passages == drawn.passages
    with pytest.raises(UsageError, match="has passages 3, not 4") as error:
        opened(tmp_path / "c", passages=4)
    assert "--collection" in error.value.hint
    with pytest.raises(UsageError, match="has adversary shallow, not none"):
        opened(tmp_path / "c", adversary="none")


def test_a_collection_that_nobody_has_worked_on_takes_new_settings_and_keeps_the_others(tmp_path, capsys):
    drawn = opened(tmp_path / "c", passages=2, seed=3, adversary="none")
    drawn.log.append("Ada", SIGNED_IN)
    again = open_or_draw(tmp_path / "c", run, {"passages": 3, "adversary": "shallow"}, Splitter, Progress("lines"))
    assert again.passages == opened(tmp_path / "other", passages=3, seed=3).passages
    assert (again.collection.seed, again.collection.adversary) == (3, "shallow")
    assert "drawn again" in capsys.readouterr().err


def outdated():
    """What gives the articles if ``ingest`` is not up to date."""
    raise UsageError("stage ingest is not up to date")


def test_a_draw_needs_current_articles_and_a_drawn_collection_goes_on_without_them(tmp_path, capsys):
    with pytest.raises(UsageError, match="ingest"):
        open_or_draw(tmp_path / "c", outdated, {}, Splitter, Progress())
    drawn = opened(tmp_path / "c", passages=2)
    assert open_or_draw(tmp_path / "c", outdated, {}, Splitter, Progress("lines")).passages == drawn.passages
    assert "articles changed" in capsys.readouterr().err


def test_a_changed_run_keeps_the_passages_and_warns(tmp_path, capsys):
    drawn = opened(tmp_path / "c", passages=2)
    changed = run()
    changed.articles.manifest = SimpleNamespace(content_hash="other")
    again = open_or_draw(tmp_path / "c", lambda: changed, {}, Splitter, Progress("lines"))
    assert again.passages == drawn.passages
    assert "articles changed" in capsys.readouterr().err


def test_too_few_passages_and_damaged_files_are_named(tmp_path):
    with pytest.raises(UsageError, match="has 6 passages"):
        opened(tmp_path / "c", passages=7)
    with pytest.raises(UsageError, match="no collection 'c'"):
        open_collection(tmp_path / "c")
    opened(tmp_path / "c", passages=1)
    (tmp_path / "c" / "passages.jsonl").write_bytes(b"")
    with pytest.raises(CorpusError, match="was changed"):
        open_collection(tmp_path / "c")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc", "a\nb", "a b"])
def test_a_collection_has_a_plain_name(tmp_path, name):
    with pytest.raises(UsageError):
        folder_of(tmp_path, name)
