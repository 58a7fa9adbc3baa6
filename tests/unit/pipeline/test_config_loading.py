"""Configuration files: strict, with the key, the fault and the nearest known key in every message."""

from pathlib import Path

import pytest
import yaml

from wdw_build.errors import ConfigError
from wdw_build.pipeline.config.explain import REMOVED
from wdw_build.pipeline.config.file import as_yaml, decode_config, load_config


def refused(load, text, *overrides, **whole):
    with pytest.raises(ConfigError) as caught:
        load(text, *overrides, **whole)
    return caught.value.message, caught.value.hint


def test_paths_count_from_the_file_wherever_it_is_read_from(load, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    config = load("nlp: {models: ../models}\n", "corpus.faulty_problems=[one, /data/other]")
    assert config.corpus.faulty_problems == (str(tmp_path / "one"), "/data/other")
    assert config.output_dir == str(tmp_path / "out")
    assert config.corpus.path == str(tmp_path / "articles.jsonl")
    assert config.nlp.models == str(tmp_path.parent / "models")


def test_the_model_of_a_system_counts_from_the_file_too_and_that_of_an_endpoint_is_a_name(load, tmp_path):
    given = "qa-model: {model: qa, stride: 64}, mine: {model: ''}, api: {model: tiny}, other: {model: me/it, url: u}"
    settings = load(f"bench: {{settings: {{{given}}}}}\n").bench.settings
    assert settings["qa-model"] == {"model": str(tmp_path / "qa"), "stride": 64}
    assert [settings[name]["model"] for name in ("mine", "api", "other")] == ["", "tiny", "me/it"]


def test_absolute_paths_and_the_home_folder_stay(load, monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    config = load("", "output_dir=~/out", "corpus.path=/data/x")
    assert (config.output_dir, config.corpus.path) == ("/home/ann/out", "/data/x")


def test_an_unknown_home_is_a_plain_path(load, tmp_path):
    assert load("", "output_dir='~no-such-user/x'").output_dir == str(tmp_path / "~no-such-user" / "x")


def test_standard_input_is_refused(load):
    assert "standard input is not read" in refused(load, "", "corpus.path=-")[0]


@pytest.mark.parametrize("name", ["bundled", "en"])
def test_names_of_models_are_not_paths(load, name):
    assert load("", f"nlp.models={name}").nlp.models == name


def test_an_override_goes_through_the_same_decoder(load):
    assert load("", "questions.min_tokens=8").questions.min_tokens == 8
    assert load("", "retrieve.windows=[1, 2]").retrieve.windows == (1, 2)
    assert load("", "corpus.options.fields.title=headline").corpus.options == {"fields": {"title": "headline"}}
    message, _ = refused(load, "", "questions.min_tokens=none")
    assert "questions.min_tokens: Expected a whole number, got a text" in message


def test_the_last_override_wins(load):
    assert load("", "seed=1", "seed=2").seed == 2


UNKNOWN_KEYS = [
    ("questons: {}", "'questons'", "did you mean 'questions'?"),
    ("split: {heldout: 3}", "'split.heldout'", "did you mean 'held_out'?"),
    ("suppress: {stric: 0.4}", "'suppress.stric'", "did you mean 'strict'?"),
    ("dedup: {zzzz: 1}", "'dedup.zzzz'", "known keys: threshold"),
    ("dedup: {max_choices: 3}", "'dedup.max_choices'", "did you mean 'choices.max_choices'?"),
    ("max_choices: 3", "'max_choices'", "did you mean 'choices.max_choices'?"),
    ("dedup: {max_per_event: 0}", "'dedup.max_per_event'", "did you mean 'suppress.max_per_event'?"),
]


@pytest.mark.parametrize(("extra", "key", "hint"), UNKNOWN_KEYS)
def test_an_unknown_key_is_named_with_the_nearest_known_one(load, tmp_path, extra, key, hint):
    message, said = refused(load, extra)
    assert message == f"{tmp_path / 'c.yaml'}: unknown key {key}"
    assert said == hint


WRONG_VALUES = [
    ("corpus: {reader: jsonl}\n", "corpus: missing key `path`"),
    ("seed: -1", "seed: Expected a whole number >= 0"),
    ("seed: 99999999999999999999", "seed: Expected a whole number"),
    ("seed: x", "seed: Expected a whole number, got a text"),
    ("dedup: {threshold: 1.5}", "dedup.threshold: Expected a number <= 1.0"),
    ("dedup:", "dedup: Expected a section of keys, got nothing"),
    ("retrieve: {windows: []}", "retrieve.windows: Expected a list of length >= 1"),
    ("retrieve: {windows: [1, 0]}", "retrieve.windows[1]: Expected a whole number >= 1"),
    ("retrieve: {name_match: whole}", "retrieve.name_match: Invalid enum value 'whole'"),
    ("suppress: {strict: some}", "suppress.strict: Invalid enum value 'some'"),
    ("export: {names: surrogate}", "export.names: there is no value 'surrogate' any more"),
    ("execution: {shard_size: 700}", "execution.shard_size: Expected a whole number that's a multiple of 512"),
    ("execution: {workers: 0}", "execution.workers: Expected a whole number >= 1"),
    ("execution: {java_heap: lots}", "execution.java_heap: this text is not allowed"),
    ("run: a/b", "run: this text is not allowed"),
    ("1: 2", "the key 1 is not text"),
    ("run: [", "is not YAML"),
    ("run: 2014-02-30", "is not YAML"),
    ("run: !!python/name:os.system\n", "is not YAML"),
    ("run:\ttoy", "is not YAML"),
    ("? [a]\n: 2", "is not YAML"),
    ("seed: 1\nseed: 1", "the key 'seed' occurs in line 4 and again in line 5"),
    ("dedup:\n  b: 0.5\n  b: 0.4", "the key 'b' occurs in line 5 and again in line 6"),
    ("corpus: {reader: jsonl, path: a, options: {fields: {1: 2}}}", "corpus.options.fields: the key 1 is not text"),
    ("release: " + "[" * 1000 + "]" * 1000, "nested more than 50 levels deep"),
    ("release: &r {title: *r}", "nested more than 50 levels deep"),
    ('output_dir: "out\\ud800"', "output_dir: it contains half a surrogate pair"),
    ('output_dir: "out\\0"', "output_dir: it contains a null character"),
    ("release: {title: !!binary aGk=}", "release.title: a value of the type bytes cannot be used"),
    ("dedup: {threshold: .inf}", "dedup.threshold: inf is not a finite number"),
    ("retrieve: {max_candidates: 99999999999}", "retrieve.max_candidates: Expected a whole number <= 2147483647"),
    ("retrieve: {windows: [99999]}", "retrieve.windows[0]: Expected a whole number <= 36525"),
    ("execution: {java_heap: 0m}", "execution.java_heap: this text is not allowed"),
    ("run: " + "a" * 101, "run: this text is not allowed"),
    ('run: "toy\\n"', "run: this text is not allowed"),
    ("run: \x00", "is not YAML"),
    ("preset: 3", "preset: "),
    ("preset: [paper]", "preset: "),
    ("preset: paper\nquestions: 3", "questions: "),
]


@pytest.mark.parametrize(("text", "fault"), WRONG_VALUES)
def test_a_wrong_value_is_named_with_its_key_and_type(load, tmp_path, text, fault):
    message, hint = refused(load, text)
    assert fault in message
    assert str(tmp_path / "c.yaml") in message
    assert hint


@pytest.mark.parametrize(
    ("text", "fault"),
    [("run: toy\noutput_dir: out\n", "missing key `corpus`"), ("- run\n", "has no keys"), ("", "has no keys")],
)
def test_a_file_without_the_required_keys_is_named(load, tmp_path, text, fault):
    message, hint = refused(load, text, whole=True)
    assert fault in message
    assert str(tmp_path / "c.yaml") in message
    assert hint


def test_aliases_that_expand_to_gigabytes_are_refused_before_they_are_expanded(load):
    rows = "".join(f"    a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))
    text = "corpus:\n  reader: jsonl\n  path: a\n  options:\n    a0: &a0 [x]\n" + rows
    assert "more than 100,000 values" in refused(load, text)[0]


def test_merge_keys_that_expand_to_very_many_keys_are_refused(load):
    rows = "".join(f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 9)}]}}\n" for n in range(1, 9))
    assert "more than 100,000 keys" in refused(load, "m0: &m0 {a: 1, b: 2}\n" + rows)[0]


def test_an_alias_and_a_merge_key_stand_for_their_values(load):
    config = load("bench: {settings: {as-reader: &r {hidden: 8}, ga-reader: *r, nse: {<<: *r, hidden: 9}}}\n")
    assert config.bench.settings == {"as-reader": {"hidden": 8}, "ga-reader": {"hidden": 8}, "nse": {"hidden": 9}}


CONTRADICTIONS = [
    ("suppress: {strict: chance, relaxed: 0.1}", "suppress.relaxed (0.1) is below chance (1/5)"),
    ("choices: {min_choices: 6}", "choices.min_choices (6) is above choices.max_choices (5)"),
    ("questions: {min_tokens: 121}", "questions.min_tokens (121) is above questions.max_tokens (120)"),
    ("retrieve: {windows: [1, 1, 3]}", "retrieve.windows: [1, 1, 3] does not increase"),
    ("retrieve: {windows: [3, 1]}", "retrieve.windows: [3, 1] does not increase"),
    ("ingest: {time_zone: Mars/Olympus}", "ingest.time_zone: no zone 'Mars/Olympus'"),
]


@pytest.mark.parametrize(("extra", "fault"), CONTRADICTIONS)
def test_keys_that_contradict_each_other_are_named(load, extra, fault):
    message, hint = refused(load, extra)
    assert fault in message
    assert hint


def test_a_relaxed_bound_at_the_chance_of_the_most_choices_is_allowed(load):
    assert load("", "suppress.relaxed=0.2").suppress.relaxed == 0.2
    assert load("", "suppress.relaxed=0.1", "choices.max_choices=10").suppress.relaxed == 0.1


SEARCHED = [
    ("news", ["news", "news/a/out"], ["news-out", "news/.out"]),
    ("news/*.jsonl", [], ["news/out"]),
    ("news/**/*.jsonl", ["news/out"], []),
    ("*/articles.jsonl", [], ["out"]),
    ("*/*/*.jsonl", ["out"], []),
    ("news/[0-9]*/**", ["news/1990/out"], ["news/out"]),
    ("out/a.jsonl", [], ["out"]),
]


@pytest.mark.parametrize(("corpus", "inside", "outside"), SEARCHED)
def test_an_output_folder_is_refused_if_a_search_of_the_corpus_enters_it(load, corpus, inside, outside):
    for output in inside:
        message, hint = refused(load, "", f"corpus.path='{corpus}'", f"output_dir={output}")
        assert "lies in the corpus" in message
        assert "outside" in hint
    for output in outside:
        assert load("", f"corpus.path='{corpus}'", f"output_dir={output}")


@pytest.mark.parametrize("corpus", ["news [2014]", "news [2014]/*/*/*.jsonl", "what?"])
def test_a_folder_that_exists_is_no_wildcard_whatever_its_name(load, tmp_path, corpus):
    folder = tmp_path / Path(corpus).parts[0]
    folder.mkdir()
    message, _ = refused(load, "", f"corpus.path='{corpus}'", f"output_dir='{folder.name}/out'")
    assert "lies in the corpus" in message
    assert load("", f"corpus.path='{corpus}'", f"output_dir='{folder.name} out'")


def test_of_several_corpora_the_folders_of_the_parts_are_those_of_the_corpus(load):
    settings = ("corpus.path=.", "corpus.reader=several", "corpus.options.parts=[{reader: csv, path: news}]")
    assert load("", *settings, "output_dir=out")
    message, hint = refused(load, "", *settings, "output_dir=news/out")
    assert "lies in the corpus" in message
    assert "outside" in hint


def test_a_link_does_not_hide_that_the_output_folder_is_in_the_corpus(load, tmp_path):
    (tmp_path / "news").mkdir()
    (tmp_path / "link").symlink_to("news")
    assert "lies in the corpus" in refused(load, "", "corpus.path=news", "output_dir=link/out")[0]


def test_a_folder_whose_name_is_not_utf8_is_named(tmp_path):
    folder = tmp_path / "caf\udce9"
    folder.mkdir()
    (folder / "c.yaml").write_text("run: toy\noutput_dir: out\ncorpus: {reader: jsonl, path: a}\n")
    with pytest.raises(ConfigError, match=r"caf\\udce9.* has a byte that is not UTF-8"):
        load_config(folder / "c.yaml")


WRONG_OVERRIDES = [
    ("seed", "not of the form key.sub=value"),
    ("=3", "not of the form key.sub=value"),
    ("run.x=3", "run is not a section"),
    ("seed=[", "the value is not YAML"),
    ("run=2014-02-30", "the value is not YAML"),
    ("questions.min_token=3", "did you mean 'min_tokens'?"),
    ("a..b=1", "unknown key 'a'"),
]


@pytest.mark.parametrize(("override", "fault"), WRONG_OVERRIDES)
def test_a_wrong_override_is_named(load, override, fault):
    assert fault in " ".join(refused(load, "", override))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match="no configuration file") as caught:
        load_config(tmp_path / "none.yaml")
    assert "wdw-build init" in caught.value.hint
    with pytest.raises(ConfigError, match="is a folder, and not a configuration file"):
        load_config(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"run: caf\xe9\n")
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "latin.yaml")


def test_a_file_without_the_right_to_read_it_is_named(tmp_path, monkeypatch):
    """The refusal is simulated: the user root, who runs many test suites, may read every file."""

    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ConfigError, match=r"cannot read .*c\.yaml"):
        load_config(tmp_path / "c.yaml")


@pytest.mark.parametrize("key", REMOVED)
def test_a_key_that_was_removed_is_refused_with_what_to_do(load, tmp_path, key):
    message, hint = refused(load, "", f"{key}=3")
    assert message == f"{tmp_path / 'c.yaml'}: there is no key {key} any more"
    assert hint == REMOVED[key]


@pytest.mark.parametrize("preset", ["careful", "paper"])
def test_the_whole_configuration_comes_back_from_its_yaml(load, preset):
    rules = "rules.off=[questions.climb_only_of, ingest.repair_text]"
    config = load("", rules, "suppress.relaxed=0.6", f"preset={preset}")
    assert load(as_yaml(config)) == config
    assert list(yaml.safe_load(as_yaml(config)))[:3] == ["run", "output_dir", "corpus"]


def test_a_value_outside_an_enumeration_or_of_another_type_is_refused_with_the_allowed_values(load):
    assert refused(load, "preset: papr\n")[1] == "one of: careful, paper"
    assert refused(load, "retrieve: {rank_by: date}\n")[1] == "one of: bm25, event"
    assert refused(load, "suppress: {strict: abc}\n")[1] == "one of: chance, a number from 0 to 1"
    assert refused(load, "execution: {device: on}\n")[1] == "one of: auto, cpu, cuda"


UNQUOTED = [
    ("run: 2014-03-04", 'run: "2014-03-04"'),
    ("run: on", 'run: "on"'),
    ("release: {version: 1.10}", 'version: "1.10"'),
    ("release: {title: 0014}", 'title: "0014"'),
    ("export: {formats: [squad, NO]}", 'formats: ["squad","NO"]'),
    ("bench: {predictions: {a: 7}}", 'predictions: {"a":"7"}'),
]


@pytest.mark.parametrize(("text", "line"), UNQUOTED)
def test_a_text_that_yaml_reads_as_another_type_is_to_be_written_in_quotes_as_it_is(load, text, line):
    message, hint = refused(load, text)
    assert "Expected a text, got " in message
    assert "`" not in message
    assert hint == f"write it in quotes: {line}"
    name, _, value = line.partition(": ")
    assert yaml.safe_load(value) == yaml.load(line, yaml.BaseLoader)[name]


@pytest.mark.parametrize("override", ["release.version=1.10", "release={version: 1.10}"])
def test_a_text_of_an_override_is_to_be_written_in_quotes_there(load, override):
    _, hint = refused(load, "release: {version: a}", override)
    assert hint == """write it in quotes: --set 'release.version="1.10"'"""
    assert load("", 'release.version="1.10"').release.version == "1.10"


def test_a_value_of_the_api_is_to_be_a_text_too():
    with pytest.raises(ConfigError) as caught:
        decode_config(
            {"run": 7, "output_dir": "out", "corpus": {"reader": "jsonl", "path": "a"}}, Path("configuration"), Path()
        )
    assert caught.value.hint == 'write it in quotes: run: "7"'


def test_a_name_that_is_not_allowed_says_in_words_what_is(load):
    message, hint = refused(load, "run: a b")
    assert message.endswith("c.yaml: run: this text is not allowed")
    assert "up to 100 letters, digits" in hint
