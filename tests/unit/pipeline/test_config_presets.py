"""Presets: what they set, and that a key that is given wins."""

import operator
import re

import msgspec
import pytest

from wdw_build.errors import ConfigError
from wdw_build.pipeline.config.file import added_rules, paper_values
from wdw_build.pipeline.config.settings import Config


def test_careful_is_the_default_and_is_what_the_keys_declare(load):
    assert load("") == load("preset: careful\n")
    assert load("").questions == Config(run="toy", output_dir="", corpus=load("").corpus).questions


def test_every_value_of_the_paper_preset_is_set_and_differs_from_the_default(load):
    paper, default = load("preset: paper\n"), load("")
    for section, keys in paper_values().items():
        for key, value in keys.items():
            found = getattr(getattr(paper, section), key)
            assert found == msgspec.convert(value, type(found)), f"{section}.{key}"
            assert found != getattr(getattr(default, section), key), f"{section}.{key}"


def test_a_list_of_rules_in_the_file_wins_over_the_preset(load):
    config = load("preset: paper\nrules: {off: [questions.refuse_finite_verb]}\n")
    assert config.questions.refuse_modifier
    assert not config.questions.refuse_finite_verb
    paper = load("preset: paper\n")
    assert not any(operator.attrgetter(name)(paper) for name in added_rules())


def test_a_key_on_the_command_line_wins_over_the_preset_and_may_choose_it(load):
    config = load("", "preset=paper", "suppress.max_per_passage=3")
    assert config.suppress.max_per_passage == 3
    assert config.suppress.max_per_event == 0


NO_RULES = [
    ("rules: {off: [ingest.repair_txt]}", "unknown rule 'ingest.repair_txt'.*did you mean 'ingest.repair_text'"),
    ("rules: {off: [questions.min_tokens]}", "unknown rule"),
    ("rules: {off: [retrieve.page_text_last]}", "unknown rule.*choices.max_page_text"),
    ("questions: {refuse_modifier: false}", "is a rule, and not a key.*rules: {off: .questions.refuse_modifier.}"),
    ("rules: {off: questions.refuse_modifier}", "rules.off: Expected a list"),
]


@pytest.mark.parametrize(("text", "said"), NO_RULES)
def test_a_rule_has_a_name_in_one_list_and_is_no_key(load, text, said):
    with pytest.raises(ConfigError) as raised:
        load(text + "\n")
    assert re.search(said, f"{raised.value.message} {raised.value.hint}", re.DOTALL)
