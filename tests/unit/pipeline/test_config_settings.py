"""Every option has a type, a default, bounds and a meaning; each stage has its section."""

import msgspec
import pytest

from wdw_bench.systems import ORDER
from wdw_bench.systems.neural import AttentionSumConfig, ReaderConfig
from wdw_build.core.section import field_docs, schema
from wdw_build.errors import ConfigError
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.pipeline.registry import system_entry
from wdw_build.pipeline.stage_order import STAGES
from wdw_build.selection.settings import SplitConfig
from wdw_build.stages.export import ExportConfig

SECTIONS = {name: part for name, part in schema(Config)["$defs"].items() if name.endswith("Config")}
DAY = "2014-04-01"


def test_every_key_of_every_section_has_a_description():
    bare = [
        f"{name}.{key}"
        for name, section in SECTIONS.items()
        for key, about in section["properties"].items()
        if not about.get("description") and "$ref" not in about and "allOf" not in about
    ]
    assert [one for one in bare if not one.startswith("Config.")] == []


@pytest.mark.parametrize("name", ORDER)
def test_every_setting_of_a_system_has_a_description(name):
    settings = system_entry(name).settings
    assert field_docs(settings).keys() >= set(settings.__struct_fields__)


def test_a_key_that_a_system_gives_another_default_keeps_its_description():
    assert field_docs(AttentionSumConfig)["hidden"] == field_docs(ReaderConfig)["hidden"]


def test_every_section_refuses_unknown_keys():
    assert all(section["additionalProperties"] is False for section in SECTIONS.values())


def test_every_key_but_run_output_and_corpus_has_a_default():
    assert SECTIONS["Config"]["required"] == ["run", "output_dir", "corpus"]
    assert SECTIONS["CorpusConfig"]["required"] == ["reader", "path"]
    others = [part for name, part in SECTIONS.items() if name not in {"Config", "CorpusConfig"}]
    assert not any(part.get("required") for part in others)


def test_each_stage_has_its_section_by_its_name_and_one_without_keys_an_empty_one():
    config = Config(run="r", output_dir="o", corpus=CorpusConfig(reader="jsonl", path="p"))
    assert [type(config.section(stage.name)) for stage in STAGES] == [stage.config for stage in STAGES]


CONTRADICTIONS = [
    ({"validation_from": "2014-03-01"}, r"split\.validation_from needs split\.test_from"),
    ({"test_from": DAY, "validation_from": DAY}, r"\(2014-04-01\) is not before split\.test_from"),
    ({"test_from": DAY, "held_out": 5}, r"split\.test_from and split\.held_out exclude each other"),
    ({"test_from": DAY, "max_share": 0.5}, r"split\.test_from and split\.max_share exclude each other"),
]


@pytest.mark.parametrize(("keys", "fault"), CONTRADICTIONS)
def test_dates_of_the_split_that_contradict_other_keys_are_refused(keys, fault):
    with pytest.raises(ConfigError, match=fault):
        msgspec.convert(keys, SplitConfig)


def test_a_repeated_export_format_is_refused():
    with pytest.raises(ConfigError, match=r"export\.formats has 'jsonl' 2 times"):
        msgspec.convert({"formats": ["jsonl", "squad", "jsonl"]}, ExportConfig)
