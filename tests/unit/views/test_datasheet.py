"""datasheet: what is given and what is not, provenance without this machine's folders, and texts as texts."""

from pathlib import Path

import msgspec
import pytest

from wdw_build.adapters.stanza.models import NlpConfig
from wdw_build.core.dataset_size import size_notes
from wdw_build.pipeline.config.file import decode_config
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.ports import ReleaseConfig
from wdw_build.records import SuppressionCost, TraitShare
from wdw_build.selection.settings import SplitConfig
from wdw_build.similarity.leaks import Overlap
from wdw_build.stages.baselines import BaselinesConfig
from wdw_build.views import pages
from wdw_build.views.dataset.run_facts import Suppression
from wdw_build.views.dataset.yield_limits import Looser, YieldLimit, YieldLimits
from wdw_build.views.datasheet import changed_keys, datasheet
from wdw_build.views.sections import ReportSection

RAW = {"run": "r", "output_dir": "out", "corpus": {"reader": "jsonl", "path": "c"}}
NASTY = "Bob <img src=x> | `Beck` *B*\n# [x](y) \x1b[31m"


def config(**sections):
    corpus = CorpusConfig(reader="jsonl", path="/secret/c.jsonl", faulty_problems=("/secret/faulty.jsonl",))
    return Config(run="r", output_dir="/secret/out", corpus=corpus, **sections)


def test_the_datasheet_has_the_numbers_of_the_facts(toy):
    text = datasheet(toy.facts, toy.config, [])
    assert f"| after dedup | {toy.facts.funnel['after_dedup']} |" in text
    chance = toy.facts.table2.chance
    assert f"| chance | {chance.before:.3f} | {chance.after.strict:.3f} | {chance.after.relaxed:.3f} |" in text
    for name, file in toy.facts.files.items():
        assert f"| {pages.plain(name)} | {file.bytes:,} | `{file.sha256}` |" in text
    for name, made in toy.facts.outputs.items():
        assert f"| {name} | {made.version} | `{made.sha256[:16]}` |" in text


def test_the_datasheet_describes_the_dataset_and_gives_no_advice_to_its_builder(toy):
    cost = SuppressionCost(key="suppress.k", value="1", other="0", kept=20, other_kept=29, price="p")
    suppression = Suppression(problems=50, strict=20, costs=(cost,))
    looser = Looser(key="retrieve.k", value="1", looser="0", tried=9, passed=3, example="It rained.")
    limit = YieldLimit(stage="retrieve", rule="r", meaning="", articles=9, looser=looser)
    limits = YieldLimits(rules=(limit,), were_tried=True)
    notes = size_notes(20, {"train": 16, "validation": 2, "test": 2}, {})
    changed = msgspec.structs.replace(toy.facts, size_notes=notes, suppression=suppression, yield_limits=limits)
    text = datasheet(changed, toy.config, [])
    few = "Only 20 strict problems are selected, which is few to train or to measure a system on."
    assert f"\n\n{few}\n\nThe test set" in text
    assert "\n\nSuppression kept 20 of 50 problems as strict, 30 fewer.\n\n## Baselines" in text
    for advice in ("instead of", "yield limited by", "wdw-build summary", "WARNING"):
        assert advice not in text


def test_the_datasheet_says_which_traits_suppression_prefers(toy):
    share = TraitShare(trait="choices", value="2", problems=10, strict=8, ratio=2.0, low=1.5, high=2.5, differs=True)
    suppression = Suppression(problems=50, strict=20, costs=(), traits=(share,))
    text = datasheet(msgspec.structs.replace(toy.facts, suppression=suppression), toy.config, [])
    assert "| choices | 2 | 20.0% | 40.0% | 2.00 | 1.50 to 2.50 |" in text
    preferred = "At least 1.5 times as frequent among the strict problems as before suppression: choices 2 (2.0)."
    assert f"\n\n{preferred}\n\n## Splits" in text


def test_nothing_in_a_text_becomes_markup(toy):
    release = ReleaseConfig(title=NASTY, citation="@x{\n```\n<b>\n}", licence="a_b_c")
    section = ReportSection(title="T", fingerprint="", head=("system",), rows=((NASTY,),), notes=(NASTY,))
    named = msgspec.structs.replace(toy.facts, run="a_b", most_common_answer=(NASTY, 0.5))
    text = datasheet(named, config(release=release), [section])
    assert "<img" not in text
    assert "\x1b" not in text
    assert text.count("Bob &lt;img src\\=x&gt; \\| \\`Beck\\` \\*B\\*\\\\n\\# \\[x\\](y) \\\\x1b\\[31m") == 5
    assert "````\n@x{\n```\n<b>\n}\n````" in text
    assert "- licence: a\\_b\\_c" in text


def test_what_is_not_given_is_said_and_the_folders_of_the_machine_are_not(toy):
    text = datasheet(toy.facts, config(nlp=NlpConfig(models="/secret/m"), split=SplitConfig(gap_days=3)), [])
    for name in ("title", "licence", "contact", "citation", "the dataset", "the articles that it quotes"):
        assert f"- {name}: not given" in text
    assert "secret" not in text
    assert "- `split.gap_days`: `3` (default `0`)" in text


def test_an_n_gram_baseline_that_was_not_used_is_said(toy):
    said = "The method's n-gram baseline was not used, and is not bounded."
    assert said in datasheet(toy.facts, config(baselines=BaselinesConfig(use=("unigram",))), [])
    assert said not in datasheet(toy.facts, config(), [])


def test_the_faults_of_problems_that_were_left_out_are_counted(toy):
    faulty = {"no-story, marked by (model) m (9 problems judged)": 1, "wrong-span": 2}
    text = datasheet(msgspec.structs.replace(toy.facts, faulty=faulty), config(), [])
    first, last = "| wrong-span | 2 |", "| no-story, marked by (model) m (9 problems judged) | 1 |"
    assert 0 < text.index(first) < text.index(last)


def test_overlap_of_held_out_problems_is_listed_with_an_example(toy):
    shared = Overlap(kind="passage", split="test", other="train.relaxed", problems=3, example=("a", "b"))
    overlap = (shared, msgspec.structs.replace(shared, split="train.relaxed"))
    text = datasheet(msgspec.structs.replace(toy.facts, overlap=overlap), config(), [])
    assert "| test | passage | train.relaxed | 3 | a and b |" in text
    assert "| train.relaxed | passage |" not in text
    without = msgspec.structs.replace(toy.facts, overlap=())
    assert "No validation or test problem has" in datasheet(without, config(), [])


@pytest.mark.parametrize("text", ["`", "a``b", "``", "plain"])
def test_code_shows_backticks_as_they_are(text):
    shown = pages.code(text)
    fence = shown[: len(shown) - len(shown.lstrip("`"))] or "`"
    assert shown.endswith(fence)
    assert fence not in shown[len(fence) : -len(fence)].strip()


def test_only_keys_that_the_user_set_are_listed():
    def keys(given):
        return [key for key, _, _ in changed_keys(given)]

    assert keys(config()) == []
    assert keys(config(split=SplitConfig(max_share=0.2))) == ["split.max_share"]
    assert keys(decode_config(RAW | {"rules": {"off": ["ingest.repair_text"]}}, Path(), Path())) == ["rules.off"]
    paper = RAW | {"preset": "paper", "seed": 1, "choices": {"max_choices": 4}}
    assert keys(decode_config(paper, Path(), Path())) == ["preset", "choices.max_choices"]
