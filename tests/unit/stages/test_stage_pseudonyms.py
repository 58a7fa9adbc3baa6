"""pseudonyms: every problem is written or rejected, and the draws ignore the order."""

import msgspec

from support import fakes, make, stage_runs, toy_stages
from wdw_build.core.store.output import Output
from wdw_build.records import Article, CountedNames, FirstSentence, Problem
from wdw_build.stages.pseudonyms import STAGE

NAMES = ["Tom Quillby", "Carla Dresch", "Mona Heinola", "Quillby", "Will Harrow"]


def problem(name, passage, answer="Tom Quillby"):
    asked = make.question(name, f"{answer} beat Carla Dresch .", answer, others=["Carla Dresch"])
    return make.problem(name, asked, passage, [answer, "Mona Heinola"], 0, article_id=f"{name}-passage")


PROBLEMS = [
    problem("q1", "Tom Quillby met Mona Heinola and Carla Dresch . Quillby left ."),
    problem("q2", "Mona Heinola met Tom Quillby . Carla Dresch waited ."),
    problem("q3", "Mona Heinola met Will Harrow . It rained . Will he come ?", "Will Harrow"),
]


def run(folder, problems=PROBLEMS):
    annotator = fakes.RuleAnnotator(NAMES)
    articles = [make.article(one.passage.article, one.passage.text) for one in problems]
    inputs = {"problems": list(problems), **stage_runs.tagged(folder, articles, annotator)}
    return stage_runs.run_stage(STAGE, folder, inputs, annotations=fakes.MemoryAnnotations(annotator))


def test_every_problem_is_renamed_or_rejected_with_its_reason(tmp_path):
    ran = run(tmp_path)
    assert sorted(ran.records) == ["q1", "q2"]
    assert ran.reasons == {"q3": "ambiguous-name"}
    assert "Will" in ran.rejections["q3"].detail


def test_the_pseudonyms_do_not_depend_on_how_the_corpus_is_cut(tmp_path):
    problems = [msgspec.structs.replace(PROBLEMS[number % 3], id=f"q{number:03}") for number in range(100)]
    expected = run(tmp_path, problems)
    kinds = {"problems": Problem, "ingest": Article, "sentences": FirstSentence, "names": CountedNames}
    outputs = {name: Output(tmp_path / name, kind) for name, kind in kinds.items()}
    ports = fakes.FakePorts(annotations=fakes.MemoryAnnotations(fakes.RuleAnnotator(NAMES)))
    output = toy_stages.make(tmp_path / "cut", toy_stages.job(STAGE, outputs, ports, STAGE.config()))
    assert len(expected.records) > 64
    assert {record.id: record for record in output.records()} == expected.records
    assert {path.suffix for path in output.folder.iterdir()} == {".json", ".jsonl", ".sqlite"}
