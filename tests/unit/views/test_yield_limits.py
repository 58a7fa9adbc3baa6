"""What limited the yield: the articles that each rule stopped, and the keys that help, as trials on the stopped articles show."""

from collections import Counter

import pytest

from support import toy_pipeline
from support.make import raw
from support.toy_pipeline import ListReader, events, ports
from wdw_build.core.progress import Progress
from wdw_build.errors import MissingResourceError
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.stage_order import BY_NAME, STAGES
from wdw_build.stages.ingest import IngestConfig
from wdw_build.text.settings import QuestionsConfig, RetrieveConfig
from wdw_build.views.dataset import facts, open_run
from wdw_build.views.dataset.yield_limits import looser_section, yield_limits

NOBODY = "the road over the river was closed for a second day on account of the storm."
PERSONS = "officials in Arden said late yesterday that Ann Adler sued Bert Brandt over the closed road near the river."


def built(root, backends=None, names=None, **changes):
    """A pipeline whose stages (None: all) are up to date, and its run."""
    pipeline = toy_pipeline.begun(root, backends, **changes)
    pipeline.run(names)
    return pipeline, open_run(pipeline.run_folder)


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A whole run, which the tests that use it leave as it is."""
    return built(tmp_path_factory.mktemp("store"))


def row(limits, rule):
    (found,) = (limit for limit in limits.rules if limit.rule == rule)
    return found


def with_articles(*leads):
    """Backends with further articles that have these paragraphs."""
    more = [raw(f"m{number:02d}", date="2014-06-01", paragraphs=lead) for number, lead in enumerate(leads)]
    return ports(reader=ListReader([*events(), *more], f"more {len(more)} {leads}"))


def test_every_rejected_article_counts_once_for_one_rule_the_most_costly_first(toy):
    _, run = toy
    limits = yield_limits(run)
    counts = [limit.articles for limit in limits.rules]
    assert counts == sorted(counts, reverse=True)
    assert (limits.were_tried, {limit.looser for limit in limits.rules}) == (False, {None})
    by_stage = Counter()
    for limit in limits.rules:
        by_stage[limit.stage] += limit.articles
    rejected = {table.name: table.manifest.rejected for table in run.tables.values() if table.exists}
    assert by_stage == {name: count for name, count in rejected.items() if count and name != "suppress"}


def test_as_many_articles_pass_as_in_a_run_with_the_looser_value(toy, tmp_path):
    def built_with(name, least):
        settings = RetrieveConfig(min_event_score=least, min_passage_words=0)
        return built(tmp_path / name, names=["retrieve"], retrieve=settings)

    scores = [one.event for record in toy[1].retrievals for one in record.candidates if not one.rule]
    least = round(max(scores) + 0.03, 2)
    pipeline, run = built_with("none", least)
    found = row(yield_limits(run, pipeline), "other-event").looser
    assert (found.key, float(found.looser)) == ("retrieve.min_event_score", round(least - 0.1, 4))
    _, lower = built_with("lower", float(found.looser))
    assert found.passed == len(lower.retrievals) - len(run.retrievals) > 0
    assert found.example in {question.sentence for question in run.questions}


def test_later_sentences_help_an_article_whose_first_one_names_nobody(tmp_path):
    pipeline, run = built(tmp_path, with_articles((NOBODY, PERSONS), (f"{NOBODY} {NOBODY}",)))
    limit = row(yield_limits(run, pipeline), "too-few-persons")
    found = limit.looser
    assert (limit.articles, found.key, found.value, found.looser) == (2, "questions.lead_sentences", "1", "3")
    assert found.example == PERSONS


def test_a_key_that_is_at_its_bound_or_does_not_help_is_not_named(tmp_path):
    settings = QuestionsConfig(lead_sentences=3, min_tokens=40)
    pipeline, run = built(tmp_path / "bound", with_articles((NOBODY, PERSONS)), ["questions"], questions=settings)
    assert row(yield_limits(run, pipeline), "sentence-too-short").looser is None
    pipeline, run = built(tmp_path / "helpless", with_articles((NOBODY, NOBODY)))
    assert row(yield_limits(run, pipeline), "too-few-persons").looser is None


def test_a_text_that_recurs_is_tried_once(tmp_path):
    again = with_articles(*[(NOBODY, PERSONS)] * 5, (NOBODY.replace("second", "third"),))
    pipeline, run = built(tmp_path, again, ingest=IngestConfig(reject_copies=False))
    limit = row(yield_limits(run, pipeline), "too-few-persons")
    assert (limit.articles, limit.looser.tried, limit.looser.passed) == (6, 2, 1)


def test_nothing_is_written_to_the_run(toy):
    pipeline, run = toy
    root = run.folder.parents[1]
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    yield_limits(run, pipeline)
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_a_value_is_moved_to_its_bound_at_most():
    def moved(section, key, by):
        changed = looser_section(section, key, by)
        return changed and getattr(changed, key)

    assert moved(QuestionsConfig(), "lead_sentences", 2) == 3
    assert moved(QuestionsConfig(lead_sentences=2), "lead_sentences", 2) == 3
    assert moved(QuestionsConfig(min_tokens=2), "min_tokens", -2) == 1
    assert moved(RetrieveConfig(min_event_score=0.05), "min_event_score", -0.1) == 0.0
    assert moved(RetrieveConfig(), "windows", (28,)) == (1, 3, 7, 14, 28)
    assert moved(RetrieveConfig(), "name_match", "part") == "part"
    assert moved(RetrieveConfig(), "require_other_person", False) is False
    assert moved(QuestionsConfig(lead_sentences=3), "lead_sentences", 2) is None
    assert moved(QuestionsConfig(), "min_persons", -1) is None
    assert moved(RetrieveConfig(windows=(60,)), "windows", (28,)) is None
    assert moved(RetrieveConfig(name_match="part"), "name_match", "part") is None


def test_looser_values_are_those_of_keys_of_the_stage():
    for stage in STAGES:
        keys = {key for rule in (*stage.reasons.values(), *stage.rules.values()) for key in rule.looser}
        assert keys <= set(stage.config.__struct_fields__)
        assert not keys or stage.scope == "map"
    assert all("lead_sentences" in rule.looser for rule in BY_NAME["questions"].reasons.values())


def test_the_summary_tries_values_once_and_other_views_never(tmp_path):
    pipeline, run = built(tmp_path)
    assert not facts(run).yield_limits.were_tried
    counted = facts(run, pipeline=pipeline)
    assert counted.yield_limits.were_tried
    assert facts(run) == facts(run, pipeline=Pipeline(pipeline.config, Progress("quiet"), ports=None)) == counted


def test_a_run_whose_models_are_gone_has_its_counts(toy, monkeypatch, capsys):
    def gone(*_):
        raise MissingResourceError("there are no models")

    pipeline, run = toy
    monkeypatch.setattr(pipeline, "progress", Progress("lines"))
    monkeypatch.setattr("wdw_build.views.dataset.yield_limits.run_alone", gone)
    limits = yield_limits(run, pipeline)
    assert limits.rules == yield_limits(run).rules
    assert not limits.were_tried
    assert "other values of keys were not tried: there are no models" in capsys.readouterr().err
