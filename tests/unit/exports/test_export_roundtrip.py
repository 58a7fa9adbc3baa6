"""Every export, read by the library that it is made for, holds the fields of the JSONL export."""

import datetime as dt
import json
import os
import warnings
from xml.etree import ElementTree

import pytest

from support import awkward_dataset
from wdw_bench.exports.question_files import CnnDmExporter, GaReaderExporter
from wdw_build.adapters.exports.jsonl import JsonlExporter
from wdw_build.adapters.exports.parquet import ParquetExporter
from wdw_build.adapters.exports.published_forms import FlatSquadExporter, QuorefExporter, SquadExporter, WdwXmlExporter
from wdw_build.ports import ReleaseConfig

SPLITS = ["train", "train.relaxed", "validation", "test"]


@pytest.fixture
def problems(tmp_path):
    return awkward_dataset.dataset(tmp_path / "stages")


@pytest.fixture
def lines(problems, tmp_path):
    """The lines of the JSONL export, by split."""
    JsonlExporter().write(tmp_path, problems)
    files = {split: tmp_path / f"jsonl/{split}.jsonl" for split in SPLITS}
    found = {split: [json.loads(line) for line in file.read_bytes().splitlines()] for split, file in files.items()}
    assert [len(found[split]) for split in SPLITS] == [1, 2, 1, 1]
    return found


def squeezed(text):
    """A text without white space, as tokens have it."""
    return "".join(text.split())


# --- wdw-xml: the released schema ------------------------------------------------------------------------------------


def read_mc(mc):
    """One problem by the schema: question/@id, its five parts, contextart/@id, choice/@idx/@correct."""
    asked, passage = mc.find("question"), mc.find("contextart")
    parts = {child.tag: child.text or "" for child in asked}
    choices = sorted(mc.findall("choice"), key=lambda choice: int(choice.get("idx")))
    (answer,) = (int(choice.get("idx")) for choice in choices if choice.get("correct") == "true")
    assert asked.find("blank").get("type") == "PERSON"
    return asked.get("id"), parts, passage.get("id"), passage.text, [choice.text for choice in choices], answer


def test_wdw_xml(problems, lines, tmp_path):
    WdwXmlExporter().write(tmp_path, problems)
    files = dict(zip(SPLITS, ["Strict/train", "Relaxed/train", "Strict/val", "Strict/test"], strict=True))
    for split, name in files.items():
        found = [read_mc(mc) for mc in ElementTree.parse(tmp_path / f"wdw-xml/{name}.xml").getroot().findall("mc")]
        for (own_id, parts, passage, text, choices, answer), line in zip(found, lines[split], strict=True):
            said = line["question"]
            tokens = [" ".join(said["tokens"][key]) for key in ("left", "blank", "right")]
            deleted = " ".join(filter(None, (parts[key] for key in ("leftblank", "blank", "rightblank"))))
            assert [*parts] == ["leftcontext", "leftblank", "blank", "rightblank", "rightcontext"]
            assert own_id == line["id"]
            assert [parts["leftcontext"], deleted, parts["rightcontext"]] == tokens
            assert squeezed(parts["blank"]) == squeezed(said["name"])
            assert (passage, text) == (line["passage"]["id"], line["passage"]["text"])
            assert (choices, answer) == (line["choices"], line["answer"])


# --- ga-reader and cnn-dm: the layout of lines ------------------------------------------------------------------------


def read_for_ga(path):
    """Read a file as the GA Reader does: lines 2, 4, 6, and the part before a colon from line 8 on."""
    with path.open(encoding="utf-8") as stream:
        lines = stream.readlines()
    document, query = lines[2].split(), lines[4].split()
    assert query.count("@placeholder") == 1
    assert [lines[at] for at in (1, 3, 5, 7)] == ["\n"] * 4
    candidates = [line.strip().split(":")[0].split() for line in lines[8:]]
    return lines[0].strip(), document, query, lines[6].strip().split(), candidates


FOLDERS = dict(zip(SPLITS, ["strict/training", "relaxed/training", "strict/validation", "strict/test"], strict=True))


def question_files(folder, lines):
    """Each file of the questions of all splits, and its line."""
    for split, name in FOLDERS.items():
        yield from zip(sorted((folder / name).glob("*.question")), lines[split], strict=True)


def holds(document, name):
    return any(document[at : at + len(name)] == name for at in range(len(document)))


def test_ga_reader(problems, lines, tmp_path):
    GaReaderExporter().write(tmp_path, problems)
    for path, line in question_files(tmp_path / "ga-reader", lines):
        own_id, document, query, answer, candidates = read_for_ga(path)
        assert own_id == line["id"]
        assert "".join(document) == squeezed(line["passage"]["text"])
        left, right = "".join(query).split("@placeholder")
        assert (left, right) == (squeezed(line["question"]["left"]), squeezed(line["question"]["right"]))
        assert ["".join(one) for one in candidates] == [squeezed(one) for one in line["choices"]]
        assert candidates.index(answer) == line["answer"]
        assert all(holds(document, one) for one in candidates)


def test_cnn_dm(problems, lines, tmp_path):
    CnnDmExporter().write(tmp_path, problems)
    by_id = {problem.id: problem for problem, _ in problems}
    for path, line in question_files(tmp_path / "cnn-dm", lines):
        own_id, document, _, answer, candidates = read_for_ga(path)
        mapping = dict(row.split(":", 1) for row in path.read_text(encoding="utf-8").splitlines()[8:])
        assert own_id == line["id"]
        assert [mapping[f"@entity{at}"] for at in range(len(mapping))] == line["choices"]
        assert [[one] for one in mapping] == candidates
        assert answer == [f"@entity{line['answer']}"]
        counts = {entity: document.count(entity) for entity in mapping}
        assert [*counts.values()] == [len(choice.mentions) for choice in by_id[own_id].choices]


def test_in_cnn_dm_the_names_put_back_give_the_passage(problems, lines, tmp_path):
    CnnDmExporter().write(tmp_path, problems)
    (path,) = (tmp_path / "cnn-dm/strict/test").iterdir()
    _, document, *_ = read_for_ga(path)
    by_id = {problem.id: problem for problem, _ in problems}
    text, spans = lines["test"][0]["passage"]["text"], {}
    for at, choice in enumerate(by_id["q4"].choices):
        spans |= {mention.start: (at, text[mention.start : mention.end]) for mention in choice.mentions}
    forms = [form for _, (_, form) in sorted(spans.items())]
    back = [squeezed(forms.pop(0)) if token.startswith("@entity") else token for token in document]
    assert "".join(back) == squeezed(text)


def test_the_as_reader_finds_each_choice_of_cnn_dm_as_a_token_of_the_document(problems, lines, tmp_path):
    # It takes a folder with three folders and no other files, five blocks in a file, and all entities as candidates.
    CnnDmExporter().write(tmp_path, problems)
    folder = tmp_path / "cnn-dm/relaxed"
    assert {path.name for path in folder.iterdir()} == {"training", "validation", "test"}
    for split, train in (("training", "train.relaxed"), ("validation", "validation"), ("test", "test")):
        for path, line in zip(sorted((folder / split).iterdir()), lines[train], strict=True):
            _, document, query, answer, _ = path.read_text(encoding="utf-8").split("\n\n")
            entities = {token for token in document.split() if token.startswith("@entity")}
            assert query.split().count("@placeholder") == 1
            assert entities == {f"@entity{number}" for number in range(len(line["choices"]))}
            assert answer == f"@entity{line['answer']}"


# --- squad and its relatives -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("exporter", [SquadExporter, FlatSquadExporter, QuorefExporter])
def test_squad_and_its_relatives(exporter, problems, lines, tmp_path):
    exporter().write(tmp_path, problems)
    for split in SPLITS:
        (file,) = tmp_path.glob(f"[sq]*/{split}.json")
        whole = json.loads(file.read_text(encoding="utf-8"))
        assert whole["version"] == ("0.1" if exporter is QuorefExporter else "1.1")
        for entry, line in zip(whole["data"], lines[split], strict=True):
            passage, (paragraph,) = line["passage"], entry.get("paragraphs", [entry])
            (asked,) = paragraph.get("qas", [entry])
            answers = asked["answers"]
            if exporter is FlatSquadExporter:
                answers = [dict(zip(answers, answer, strict=True)) for answer in zip(*answers.values(), strict=True)]
            assert (entry["title"], paragraph["context"]) == (passage["title"], passage["text"])
            assert (asked["id"], asked["question"]) == (line["id"], line["question"]["text"])
            assert all(passage["text"].startswith(answer["text"], answer["answer_start"]) for answer in answers)
            assert {" ".join(answer["text"].split()) for answer in answers} == {line["choices"][line["answer"]]}


# --- parquet: the library datasets ------------------------------------------------------------------------------------


@pytest.fixture
def load(tmp_path, monkeypatch):
    """``datasets.load_dataset`` of a folder, without network and with a new cache."""
    monkeypatch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()
    return lambda folder, name=None: datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path / "cache"))


def plain(row):
    return json.loads(json.dumps(row, default=dt.date.isoformat))


TABLES = pytest.mark.parametrize("exporter", [JsonlExporter, ParquetExporter])


@TABLES
def test_the_folder_is_loaded_split_by_split(exporter, problems, lines, load, tmp_path):
    (folder,) = {file.split("/")[0] for file in exporter().write(tmp_path / "out", problems)}
    for name, train in (("strict", "train"), ("relaxed", "train.relaxed"), (None, "train")):
        loaded = load(tmp_path / "out" / folder, name)
        expected = {"train": lines[train], "validation": lines["validation"], "test": lines["test"]}
        assert {split: [plain(row) for row in rows] for split, rows in loaded.items()} == expected


@TABLES
def test_an_empty_split_is_left_out_for_the_library_loads_none_without_rows(exporter, problems, load, tmp_path):
    written = exporter().write(tmp_path, [one for one in problems if one[1].split != "test"])
    folder = tmp_path / next(iter(written)).split("/")[0]
    assert load(folder).num_rows == {"train": 1, "validation": 1}
    assert load(folder, "relaxed").num_rows == {"train": 2, "validation": 1}


def test_the_card_alone_tells_configurations_splits_and_features(problems, load, tmp_path, caplog):
    from datasets import get_dataset_config_names, load_dataset_builder

    ParquetExporter().write(tmp_path, problems)
    folder = str(tmp_path / "parquet")
    assert get_dataset_config_names(folder) == ["strict", "relaxed"]
    about = load_dataset_builder(folder, "relaxed", cache_dir=str(tmp_path / "cache")).info
    counts = {"train": 2, "validation": 1, "test": 1}
    assert {name: split.num_examples for name, split in about.splits.items()} == counts
    assert about.features == load(folder, "relaxed")["train"].features
    assert [*about.features] == [*json.loads(json.dumps(plain(load(folder)["train"][0])))]
    assert "Ignoring" not in caplog.text


# --- croissant: the library mlcroissant -------------------------------------------------------------------------------


def read_croissant(dataset, name):
    """The records of a record set, nested by the ids of their fields."""
    for record in dataset.records(name):
        row = {}
        pending = list(record.items())
        while pending:
            key, value = pending.pop()
            if isinstance(value, dict):
                pending += value.items()
                continue
            place, (*above, last) = row, key.removeprefix(f"{name}/").split("/")
            for part in above:
                place = place.setdefault(part, {})
            place[last] = said(value)
        yield row


def said(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [said(one) for one in value]
    return value.date().isoformat() if isinstance(value, dt.datetime) else value


def rounded(line):
    return line | {key: value and round(value, 9) for key, value in line.items() if key.endswith("_score")}


def test_croissant(problems, lines, tmp_path):
    import mlcroissant as mlc

    JsonlExporter().write(tmp_path, problems)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = mlc.Dataset(str(tmp_path / "jsonl/croissant.json"))
        assert not dataset.metadata.ctx.issues.errors
        names = dict(zip(SPLITS, ["strict-train", "relaxed-train", "validation", "test"], strict=True))
        for split, name in names.items():
            # The library reads numbers with pandas, whose last digit may differ.
            assert [*map(rounded, read_croissant(dataset, name))] == [*map(rounded, lines[split])]


def test_the_texts_of_croissant_are_declared_as_texts_and_the_others_by_their_types(problems, tmp_path):
    JsonlExporter().write(tmp_path, problems)
    found = json.loads((tmp_path / "jsonl/croissant.json").read_text(encoding="utf-8"))

    def leaves(fields):
        for field in fields:
            yield from leaves(field["subField"]) if "subField" in field else [field]

    (fields,) = (one["field"] for one in found["recordSet"] if one["name"] == "validation")
    scores = {"event_score": "sc:Float", "evidence_score": "sc:Float"}
    others = {"date": "sc:Date", "passage/date": "sc:Date", "answer": "sc:Integer", **scores}
    types = {field["name"].partition("/")[2]: field["dataType"] for field in leaves(fields)}
    assert types == {name: others.get(name, "sc:Text") for name in types}
    assert len(types) == 21
    lists = {field["name"].partition("/")[2] for field in leaves(fields) if field.get("repeated")}
    assert lists == {"choices", "question/tokens/left", "question/tokens/blank", "question/tokens/right"}


@pytest.mark.parametrize("title", ["Łódź: a cloze, 2nd ed.", ""])
def test_croissant_with_statements_of_any_characters_is_valid(problems, tmp_path, title):
    import mlcroissant as mlc

    exporter = JsonlExporter()
    stated = {"licence": "CC BY 4.0", "contact": '"a"\n<b@c>', "citation": "@misc{a,\n b}"}
    exporter.release = ReleaseConfig(title=title, authors=("Ann Ames", "Zoë"), **stated)
    exporter.write(tmp_path, problems)
    metadata = mlc.Dataset(str(tmp_path / "jsonl/croissant.json")).metadata
    assert not metadata.issues.errors
    recommended = 'https://schema.org/datePublished" is recommended, but does not exist.'
    assert {issue.partition('"')[2] for issue in metadata.issues.warnings} == {recommended}
    assert (metadata.name, [one.name for one in metadata.creators]) == (title or "who-did-what", ["Ann Ames", "Zoë"])
    assert (metadata.license, metadata.cite_as) == (["CC BY 4.0"], "@misc{a,\n b}")
    assert 'Contact: "a" <b@c>' in metadata.description


def test_parquet_without_pyarrow_says_what_to_install(monkeypatch):
    import importlib.metadata

    from wdw_build.errors import MissingResourceError

    def absent(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(MissingResourceError) as caught:
        _ = ParquetExporter().identity
    assert caught.value.hint == "pip install 'pyarrow>=17'"
