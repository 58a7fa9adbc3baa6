"""The pipeline: what would run and why, what is left alone, and one record by itself."""

from dataclasses import replace

import pytest

from support.fakes import FakeEventScorer, FakePorts
from support.read_only import make_read_only
from support.toy_pipeline import ORDER, RAN, ListReader, begun, config, events, pipeline, ports
from wdw_build.adapters.stanza.models import NlpConfig
from wdw_build.core.engine.engines import LocalEngine
from wdw_build.core.engine.execution import ExecutionConfig
from wdw_build.core.progress import Progress
from wdw_build.core.store.manifest import in_words
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.pipeline.config.file import as_yaml
from wdw_build.pipeline.config.settings import CorpusConfig
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.stage_order import BY_NAME, STAGES, between, needed
from wdw_build.records import Rejection
from wdw_build.views.dataset import Run, facts


def section(name, **changes):
    return {name: BY_NAME[name].config(**changes)}


def state(steps):
    """Why each stage that would run does so, in words."""
    return {step.stage.name: list(map(str, step.causes)) for step in steps if step.causes}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A store in which the whole chain was run once; tests that run more use runs of other names."""
    folder = tmp_path_factory.mktemp("store")
    assert pipeline(folder).run() == RAN
    return folder


# --- Plain facts -----------------------------------------------------------------------------------------------------


def test_the_stages_stand_in_order_and_read_only_what_stands_before():
    assert [stage.name for stage in STAGES] == ORDER
    for at, stage in enumerate(STAGES):
        assert set(stage.reads) <= set(ORDER[:at])
        assert stage.run.__doc__.partition("\n")[0].endswith(".")
        assert bool(stage.reads) or stage.ports


def test_a_stage_needs_all_stages_that_it_reads_directly_or_indirectly():
    assert needed(["ingest"]) == {"ingest"}
    assert needed(["retrieve"]) == {"ingest", "index", "sentences", "names", "questions", "retrieve"}
    assert needed(["index", "questions"]) == {"ingest", "index", "sentences", "names", "questions"}
    assert needed(["export"]) == set(ORDER)
    assert needed([]) == set()
    assert needed(None) == set(ORDER)


# --- Running ---------------------------------------------------------------------------------------------------------


def test_the_chain_makes_a_dataset(root):
    outputs = {name: pipeline(root).output(name) for name in RAN}
    assert outputs["ingest"].manifest.reasons == {"no-date": 2}
    assert outputs["dedup"].manifest.written == 12
    lists = outputs["export"].folder / "list"
    ids = [(lists / f"{name}.txt").read_text().split() for name in ("train", "validation", "test")]
    assert list(map(len, ids)) == [6, 3, 3]
    assert sorted(one for names in ids for one in names) == [f"q{at:02d}" for at in range(12)]
    for name in RAN[1:]:
        assert outputs[name].manifest.read == outputs[BY_NAME[name].reads[0]].manifest.written


def test_a_stage_on_demand_runs_if_the_settings_need_it_or_if_it_is_named(root):
    renamed = pipeline(root, run="renamed", **section("export", formats=("list",), names="codes"))
    assert renamed.run() == ["pseudonyms", "export"]
    assert set(renamed.ready()) == set(ORDER)
    # Its output is in the store now.
    assert pipeline(root, run="named").run(["pseudonyms"]) == []


def test_the_models_of_the_stages_that_will_run_are_loaded_once_at_the_start(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(LocalEngine, "start", lambda self, prepare: started.append(prepare.args[0]))
    toy = pipeline(tmp_path)
    toy.ports.get("annotator").preload = lambda: None
    toy.run()
    assert started == [("annotations", "sentence_splitter")]
    started.clear()
    assert toy.run() == []
    assert started == []


def test_a_run_stopped_before_a_link_is_made_links_the_stored_output_when_it_is_repeated(tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("wdw_build.pipeline.pipeline.link", stop)
        with pytest.raises(KeyboardInterrupt):
            pipeline(tmp_path).run(["ingest"])
    assert pipeline(tmp_path).run(["ingest"]) == []
    assert pipeline(tmp_path).output("ingest").manifest.written == 24


def test_without_write_rights_an_up_to_date_run_is_used_and_a_stage_that_would_run_fails(tmp_path, monkeypatch):
    mine = begun(tmp_path)
    mine.run()
    make_read_only(monkeypatch, tmp_path)
    assert mine.run() == []
    assert pipeline(tmp_path, execution=ExecutionConfig(workers=2)).run() == []
    assert facts(Run(mine.run_folder, mine.ready())).funnel["problems"] == 12
    with pytest.raises(OSError, match="Read-only file system"):
        mine.run(["dedup"], force=True)


def test_the_configuration_is_kept_with_the_run(root):
    assert (root / "runs" / "toy" / "config.yaml").read_text() == as_yaml(config(root))


def test_execution_and_paths_change_nothing(root):
    execution, corpus = ExecutionConfig(workers=2, shard_size=512), CorpusConfig(reader="list", path="x")
    assert state(pipeline(root, execution=execution, corpus=corpus).plan()) == {}


STRICTER = section("suppress", strict=0.9, relaxed=1.0, min_kept=1)


def test_another_run_shares_what_is_equal(root):
    other = pipeline(root, run="other", **STRICTER)
    assert state(other.plan())["adversary"] == ["it has not been run"]
    assert [step.stage.name for step in other.plan() if step.output is not None] == RAN[: RAN.index("adversary")]
    other.run(["baselines"])
    assert (root / "runs/other/baselines").resolve() == (root / "runs/toy/baselines").resolve()


# --- What would run, and why -----------------------------------------------------------------------------------------


ANY = {"min_event_score": 0.0, "min_passage_words": 0}


CHANGED_KEYS = [
    (section("ingest", max_bad_input=0.5, judge_kinds=False), "ingest.max_bad_input 0.01 -> 0.5"),
    (section("questions", climb_only_of=False), "questions.climb_only_of True -> False"),
    (section("retrieve", windows=(1, 3), **ANY), "retrieve.windows [1, 3, 7, 14] -> [1, 3]"),
    (section("choices", max_choices=4, min_evidence=0.0), "choices.max_choices 5 -> 4"),
    (section("baselines", ngram_order=3), "baselines.ngram_order 5 -> 3"),
    (section("split", max_share=0.5, gap_days=2), "split.gap_days 0 -> 2"),
]


@pytest.mark.parametrize(("changes", "change"), CHANGED_KEYS)
def test_a_changed_key_is_named_and_only_what_comes_after_would_run(root, changes, change):
    (first,) = changes
    would_run = state(pipeline(root, **changes).plan())
    assert would_run.pop(first) == [f"config {change}"]
    after = {name for name in RAN if first in needed([name])} - {first}
    assert set(would_run) == after
    assert all(why.endswith("will run") for reasons in would_run.values() for why in reasons)


def test_a_changed_key_of_a_shared_section_is_named_by_its_section(root):
    """The adversaries are trained on what suppress selects."""
    would_run = state(pipeline(root, **STRICTER).plan())
    reason = "config suppress.strict 1.0 -> 0.9"
    assert would_run["adversary"] == [reason]
    assert would_run["suppress"][0] == "adversary will run" or reason in would_run["suppress"]
    assert list(would_run) == RAN[RAN.index("adversary") :]


def test_a_section_that_a_stage_does_not_share_with_these_settings_changes_nothing(tmp_path):
    settings = section("adversary", systems=())
    pipeline(tmp_path, **settings).run()
    stricter = pipeline(tmp_path, **settings, **STRICTER)
    assert list(state(stricter.plan())) == RAN[RAN.index("suppress") :]
    assert state(stricter.plan())["suppress"] == ["config suppress.strict 1.0 -> 0.9"]


def test_the_seed_matters_to_the_stages_that_draw(root):
    would_run = state(pipeline(root, seed=3).plan())
    # The first stage that draws is choices.
    assert would_run["choices"] == ["seed 0 -> 3"]
    assert list(would_run) == RAN[RAN.index("choices") :]


PAPER = section("retrieve", rank_by="bm25", **ANY)


def test_a_port_that_no_key_asks_for_is_neither_checked_nor_part_of_the_fingerprint(tmp_path):
    """The event scorer is missing here, and the whole chain runs without it."""

    backends = ports()._backends
    del backends["event_scorer"]
    assert pipeline(tmp_path, FakePorts(**backends), **PAPER).run() == RAN
    other = FakeEventScorer()
    other.identity = "another"
    assert state(pipeline(tmp_path, ports(event_scorer=other), **PAPER).plan()) == {}


def test_a_changed_version_is_named(root, monkeypatch):
    stage = BY_NAME["dedup"]
    newer = replace(stage, version=stage.version + 1)
    monkeypatch.setattr("wdw_build.pipeline.plan.STAGES", tuple(newer if one is stage else one for one in STAGES))
    assert state(pipeline(root).plan())["dedup"] == [f"stage version {stage.version} -> {stage.version + 1}"]


# --- A run that was built with another configuration ------------------------------------------------------------------------


def test_a_run_that_links_to_other_outputs_than_the_configuration_s_is_refused(root):
    """Both outputs are in the store: without the check, the first run's dataset would be written under the second's name."""
    settings = section("split", max_share=0.5, gap_days=1) | section("export", formats=("list",), choices="shuffled")
    pipeline(root, run="second", **settings).run()
    assert set(pipeline(root, run="second", **settings).ready()) == set(RAN)
    first_settings = pipeline(root, run="second")
    assert state(first_settings.plan()) == {}
    for stages in (None, ["split", "dedup"]):
        with pytest.raises(UsageError, match="run 'second' was built with another configuration") as caught:
            first_settings.ready(stages)
        assert "config split.gap_days 1 -> 0" in caught.value.message
        assert f"-c {root / 'runs/second'} " in caught.value.hint
        assert "wdw-build all" in caught.value.hint
    assert set(first_settings.ready(["suppress"])) == needed(["suppress"])
    first_settings.run()
    assert set(first_settings.ready()) == set(RAN)


def test_a_setting_of_the_export_alone_leaves_the_stages_that_the_export_reads(root):
    shuffled = pipeline(root, **section("export", formats=("list",), choices="shuffled"))
    assert set(shuffled.ready(shuffled.stage("export").reads)) == set(RAN) - {"export"}


def test_the_plan_names_the_links_that_lead_to_other_outputs(root):
    pipeline(root, run="third", **section("dedup", threshold=0.97)).run()
    links = {step.stage.name: in_words(step.link_causes) for step in pipeline(root, run="third").plan()}
    assert links.pop("dedup") == "config dedup.threshold 0.97 -> 0.8"
    assert set(links.values()) == {""}
    assert {in_words(step.link_causes) for step in pipeline(root, run="fourth").plan()} == {"it has not been run"}


class Gone:
    """A backend that is not there."""

    @property
    def identity(self):
        raise MissingResourceError("there is no file or folder news", hint="set corpus.path to the corpus")


def test_without_a_corpus_a_run_that_was_not_built_would_run(tmp_path):
    steps = pipeline(tmp_path, ports(reader=Gone())).plan()
    assert state(steps)["ingest"] == ["it has not been run"]
    assert "reader" in steps[0].unexamined


@pytest.mark.parametrize("key", ["faulty_problems", "omitted_problems"])
def test_without_a_corpus_a_file_of_faulty_problems_may_have_another_place(root, key):
    moved = CorpusConfig(reader="list", path="x", **{key: ("elsewhere.jsonl",)})
    assert set(pipeline(root, ports(reader=Gone()), corpus=moved).ready()) == set(RAN)


def test_a_run_is_read_without_the_models_and_an_edited_section_nlp_is_still_noticed(root):
    without = {"annotations": Gone(), "index": Gone(), "language_model": Gone(), "solver": Gone()}
    assert set(pipeline(root, ports(**without)).ready()) == set(RAN)
    with pytest.raises(UsageError, match=r"built with another configuration.*config nlp\.models"):
        pipeline(root, ports(**without), nlp=NlpConfig(models="en")).ready()


def test_a_changed_corpus_is_refused_unless_the_run_is_read_as_it_was_built(root, monkeypatch):
    changed = ports(reader=ListReader(events(), identity="list 2"))
    with pytest.raises(UsageError, match="run 'toy' is not up to date: ingest: backend reader changed") as caught:
        pipeline(root, changed).ready()
    assert caught.value.hint.startswith(f"-c {root / 'runs/toy'} for the run as it was built; ")
    folder = root / "runs/toy"
    newer = [replace(one, version=one.version + 1) for one in STAGES]
    monkeypatch.setattr("wdw_build.pipeline.plan.STAGES", tuple(newer))
    as_built = Pipeline(config(root), Progress("quiet"), changed, as_built=folder)
    found = {name: output.folder for name, output in as_built.ready().items()}
    assert found == {name: (folder / name).resolve() for name in RAN}
    edited = Pipeline(config(root, **section("dedup", threshold=0.9)), Progress("quiet"), changed, as_built=folder)
    with pytest.raises(UsageError, match=r"config dedup\.threshold 0\.8 -> 0\.9"):
        edited.ready()


def test_a_run_whose_outputs_do_not_fit_together_is_refused_also_as_it_was_built(tmp_path):
    begun(tmp_path).run()
    changed = pipeline(tmp_path, ports(reader=ListReader(events(10), identity="list 2")))
    changed.run(["ingest"])
    for as_built in (None, tmp_path / "runs/toy"):
        mixed = Pipeline(changed.config, Progress("quiet"), changed.ports, as_built=as_built)
        with pytest.raises(UsageError, match="index was made from another output of ingest than the run's"):
            mixed.ready()


def test_a_run_without_links_has_no_outputs_although_the_store_has_them(root):
    with pytest.raises(UsageError, match="run 'fifth' has no output of ingest") as caught:
        pipeline(root, run="fifth").ready()
    assert "wdw-build all" in caught.value.hint


# --- Early cut-off, force --------------------------------------------------------------------------------------------


def test_an_upstream_change_that_gives_the_same_output_stops_there(root):
    """A looser threshold finds no duplicate either: dedup runs, and nothing after it."""
    assert pipeline(root, run="cut", **section("dedup", threshold=0.95)).run() == ["dedup"]


def test_force_runs_the_named_stages_and_no_others(root):
    def parts():
        return {name: (pipeline(root).output(name).folder / "part-00000.jsonl").read_bytes() for name in RAN}

    before = parts()
    for names in (["questions"], ["split", "export"]):
        assert pipeline(root).run(names, force=True) == names
    assert parts() == before
    assert pipeline(root).run() == []


def test_force_without_names_runs_all(tmp_path):
    assert begun(tmp_path).run(force=True) == RAN


def test_a_missing_backend_is_reported_before_anything_runs(tmp_path):
    with pytest.raises(MissingResourceError, match="there is no file"):
        pipeline(tmp_path, ports(solver=Gone())).run()
    assert not (tmp_path / "store").exists()
    assert pipeline(tmp_path, ports(solver=Gone())).run(["baselines"]) == RAN[: RAN.index("adversary")]


# --- One record alone ------------------------------------------------------------------------------------------------


def only(root, stage, record_id):
    return list(pipeline(root).only(stage, record_id))


def test_one_record_alone_gives_what_the_stage_gave(root):
    for stage in ("ingest", "questions", "retrieve", "choices", "dedup"):
        (found,) = only(root, stage, "q03")
        assert isinstance(found, BY_NAME[stage].writes)
        assert found == pipeline(root).output(stage).find("q03")


def test_a_record_that_is_refused_is_shown_as_refused(root):
    """Alone in the corpus it would be a corpus without articles; that is not what was asked."""
    (found,) = only(root, "ingest", "undated")
    assert found == Rejection(id="undated", reason="no-date", detail="a.jsonl:undated: 'someday'")


def test_an_input_without_an_id_goes_by_its_place(root):
    assert [one.reason for one in only(root, "ingest", "a.jsonl:99")] == ["no-date"]


@pytest.mark.parametrize("stage", ["ingest", "questions", "choices"])
def test_an_unknown_record_is_refused(root, stage):
    with pytest.raises(UsageError, match="has no record 'nobody'"):
        only(root, stage, "nobody")


@pytest.mark.parametrize("stage", ["suppress", "split", "export"])
def test_a_stage_that_needs_all_records_refuses_to_run_one(root, stage):
    with pytest.raises(UsageError, match=f"{stage} needs all records"):
        only(root, stage, "q03")


def test_one_record_alone_writes_nothing_to_the_store(root):
    before = sorted(root.rglob("*"))
    only(root, "questions", "q03")
    assert sorted(root.rglob("*")) == before


def test_one_record_of_an_input_that_was_not_made(tmp_path):
    with pytest.raises(UsageError, match="has no output of sentences"):
        only(tmp_path, "questions", "q03")


def test_stages_between_two():
    assert between("dedup", "suppress") == ["dedup", "baselines", "adversary", "suppress"]
    assert between(None, "index") == ["ingest", "index"]
    assert between("split", None) == ["split", "export"]
    assert between("split", "split") == ["split"]
    with pytest.raises(UsageError, match="split comes after dedup"):
        between("split", "dedup")
    with pytest.raises(UsageError, match="unknown stage"):
        between("first", None)
