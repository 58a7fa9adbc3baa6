"""sentences: every first sentence with all its names; names: one table of what they tell together."""

import dataclasses
from collections import Counter

import pytest

from support import fakes, make, stage_runs, toy_stages
from wdw_build.core.store.output import Output
from wdw_build.records import PERSON, Article, TaggedName
from wdw_build.stages import names, sentences
from wdw_build.text.names.evidence import read_names

NAMES = ["Ann Ames", "Bob Beck"]
TEXTS = {"a": "Ann Ames met Bob Beck today . He left .", "b": "It rained .", "c": " ", "d": "Bob Beck slept ."}


def ran(tmp_path, texts=TEXTS, people=NAMES):
    articles = [make.article(name, text) for name, text in texts.items()]
    return stage_runs.run_stage(sentences.STAGE, tmp_path, {"ingest": articles}, annotator=fakes.RuleAnnotator(people))


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
    articles = [make.article(name, text) for name, text in texts.items()]
    firsts = list(ran(folder, texts).records.values())
    found = stage_runs.run_stage(names.STAGE, folder, {"sentences": firsts, "ingest": articles})
    return found, read_names(folder / "names")


def test_every_sentence_is_counted_once_and_the_table_says_what_all_of_them_tell(tmp_path):
    found, evidence = counted(tmp_path, TEXTS)
    assert {name: one.names for name, one in found.records.items()} == {"a": 2, "b": 0, "c": 0, "d": 1}
    assert [evidence.leaning(name) for name in ("Bob Beck", "Ann Ames", "Cleo Cole")] == [2, 1, 0]


@pytest.mark.parametrize(("shard_size", "most"), [(64, 1000), (128, 5), (1024, 5), (64, 1)])
def test_the_table_keeps_the_most_frequent_names_however_the_corpus_is_cut(tmp_path, monkeypatch, shard_size, most):
    # Each shard has other names that are frequent in it.
    people = [f"Xandr{chr(97 + number // 16)} Qu{'o' * (number % 3)}rn" for number in range(200)]
    found = ran(tmp_path, {f"a{number:03}": f"{name} left ." for number, name in enumerate(people)}, people)
    firsts = stage_runs.stored(tmp_path / "sentences", sentences.STAGE.writes, list(found.records.values()))
    inputs = {"sentences": firsts, "ingest": Output(tmp_path / "ingest", Article)}
    # As if so few names were kept, and with short shards.
    monkeypatch.setattr(names, "_MAX_NAMES", most)
    job = toy_stages.job(dataclasses.replace(names.STAGE, block=64), inputs)
    output = toy_stages.make(tmp_path, job, shard_size=shard_size)
    expected = sorted(Counter(person.lower() for person in people).items(), key=lambda pair: (-pair[1], pair[0]))
    assert read_names(output.folder).person == dict(expected[:most])


def test_an_empty_corpus_has_an_empty_table(tmp_path):
    _, evidence = counted(tmp_path, {})
    assert list(evidence.rows()) == []
