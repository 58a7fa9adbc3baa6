"""sentences: every first sentence with all its names; names: one table of what they tell together."""

from support import fakes, make, stage_runs
from wdw_build.core.store.name_table import FILE, read_names
from wdw_build.records import TaggedName
from wdw_build.stages import names, sentences
from wdw_build.text.names.consistency import PERSON
from wdw_build.text.names.evidence import NameCounter

NAMES = ["Ann Ames", "Bob Beck"]
TEXTS = {"a": "Ann Ames met Bob Beck today . He left .", "b": "It rained .", "c": " ", "d": "Bob Beck slept ."}


def ran(tmp_path, texts=TEXTS):
    articles = [make.article(name, text) for name, text in texts.items()]
    return stage_runs.run_stage(sentences.STAGE, tmp_path, {"ingest": articles}, annotator=fakes.RuleAnnotator(NAMES))


def test_the_first_sentence_is_stored_with_its_tokens_and_names(tmp_path):
    first = ran(tmp_path).records["a"]
    assert first.text == "Ann Ames met Bob Beck today ."
    assert first.names == (TaggedName(0, 2, PERSON), TaggedName(3, 5, PERSON))
    assert [first.text[start:end] for start, end in first.spans] == list(first.words)


def test_a_sentence_without_names_is_stored_too_and_so_is_a_paragraph_without_tokens(tmp_path):
    found = ran(tmp_path)
    assert [*found.records] == [*TEXTS]
    assert found.records["b"].names == ()
    assert (found.records["c"].text, found.records["c"].words) == ("", ())


def counted(folder, texts):
    firsts = list(ran(folder, texts).records.values())
    found = stage_runs.run_stage(names.STAGE, folder, {"sentences": firsts})
    return found, read_names(folder / "names")


def test_every_sentence_is_counted_once_and_the_table_says_what_all_of_them_tell(tmp_path):
    found, evidence = counted(tmp_path, TEXTS)
    assert {name: one.names for name, one in found.records.items()} == {"a": 2, "b": 0, "c": 0, "d": 1}
    assert evidence.leaning("Bob Beck") == 2
    assert evidence.leaning("Ann Ames") == 1
    assert evidence.leaning("Cleo Cole") == 0


def test_the_table_does_not_depend_on_the_order_of_the_articles(tmp_path):
    counted(tmp_path / "one", TEXTS)
    counted(tmp_path / "other", dict(reversed(TEXTS.items())))
    tables = [(tmp_path / folder / "names" / FILE).read_bytes() for folder in ("one", "other")]
    assert tables[0] == tables[1] != b""


def test_the_table_is_read_as_it_was_written(tmp_path):
    _, evidence = counted(tmp_path, TEXTS)
    counter = NameCounter()
    for first in ran(tmp_path / "again").records.values():
        counter.add(first.words, first.names)
    assert evidence == counter.result()


def test_an_empty_corpus_has_an_empty_table(tmp_path):
    _, evidence = counted(tmp_path, {})
    assert list(evidence.rows()) == []
