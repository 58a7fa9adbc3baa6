"""The lm-eval export, run by the lm-evaluation-harness itself: prompts, gold answers and accuracies are the right ones."""

import json
from pathlib import Path

import pytest

from support import make
from support.interpreter import python
from wdw_bench.exports.lm_eval import LmEvalExporter
from wdw_build.reading.answers import named_choice
from wdw_build.records import SplitAssignment

pytestmark = pytest.mark.real
RUN = Path(__file__).parents[1] / "support/lm_eval_run.py"
NAMES = ["Ann Ames", "Zoë O'Neil", 'Bo "B" Beck', "{{ answer }} Dee", "{% if x %} Fay", "Li: #1 - [Xu]"]
CHOICE_TASKS = ["wdw", "wdw_question_only", "wdw_filled", "wdw_filled_question_only"]
NAMED_TASKS = ["wdw_generate", "wdw_generate_question_only", "wdw_chat", "wdw_chat_question_only"]


def entry(number, split):
    """A problem whose answer is another choice in each; the last two choices are given by its number."""
    names = [NAMES[(number + step) % 6] for step in (0, 1, 3)]
    asked = make.question(f"{split}{number}", f"Day {number} saw Carl Cole in the {{{{port}}}} again .", "Carl Cole")
    passage = f"{names[0]} met {names[1]}.\n\nThen {names[2]} spoke of {number}."
    problem = make.problem(f"{split}{number}", asked, passage, names, number % 3)
    return problem, SplitAssignment(id=problem.id, date=make.DAY, level="strict", split=split)


ENTRIES = [entry(number, split) for split in ("train", "validation", "test") for number in range(6)]
PROBLEMS = {problem.id: problem for problem, _ in ENTRIES}
# The names of the answers.
RIGHT = {name: problem.choices[problem.answer].name for name, problem in PROBLEMS.items()}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Shots -> results and samples, from one process that runs in another folder than the export's."""
    pytest.importorskip("lm_eval", reason="pip install 'wdw-build[lm-eval]'")
    folder = tmp_path_factory.mktemp("lm-eval") / ".an [odd] *folder"
    folder.mkdir()
    LmEvalExporter().write(folder, ENTRIES)
    (folder / "elsewhere").mkdir()
    out = python(RUN, folder / "lm-eval", folder / "model", cwd=folder / "elsewhere")
    logged = {int(shots): run for shots, run in json.loads(out.splitlines()[-1]).items()}
    return logged | {"export": folder / "lm-eval"}


@pytest.fixture(params=[0, 2])
def shots(request):
    return request.param


def test_the_harness_reads_the_exported_lines_from_any_working_folder(runs):
    exported = [json.loads(line) for line in (runs["export"] / "test.jsonl").read_bytes().splitlines()]
    for samples in runs[0]["samples"].values():
        assert [sample["doc"] for sample in samples] == exported


@pytest.mark.parametrize("task", CHOICE_TASKS)
def test_the_reported_accuracy_is_that_of_the_highest_scores_against_the_datasets_answers(runs, shots, task):
    correct = []
    for sample in runs[shots]["samples"][task]:
        scores = [float(response[0]) for response in sample["filtered_resps"]]
        assert len(scores) == 3
        correct.append(scores.index(max(scores)) == PROBLEMS[sample["doc"]["id"]].answer)
    assert len(correct) == 6
    assert runs[shots]["results"][task]["acc,none"] == pytest.approx(sum(correct) / 6)


@pytest.mark.parametrize("task", CHOICE_TASKS)
def test_the_gold_continuation_alone_holds_the_answers_name(runs, shots, task):
    for sample in runs[shots]["samples"][task]:
        continuations = [continuation for _, continuation in sample["arguments"]]
        assert len(set(continuations)) == 3
        holds = [RIGHT[sample["doc"]["id"]] in text for text in continuations]
        assert holds == [at == sample["target"] for at in range(3)]


def test_a_prompt_holds_what_the_task_says_and_braces_of_the_data_stay(runs):
    for task, reads in (("wdw", True), ("wdw_question_only", False)):
        for sample in runs[0]["samples"][task]:
            prompt, name = sample["arguments"][0][0], sample["doc"]["id"]
            assert (PROBLEMS[name].passage.text in prompt) is reads
            assert prompt.endswith(f"Sentence: Day {name[-1]} saw ____ in the {{{{port}}}} again .\nThe name is")


def test_few_shot_examples_are_training_problems_with_their_answers(runs):
    for sample in runs[2]["samples"]["wdw_question_only"]:
        prompt, sentence = sample["arguments"][0][0], "Day {} saw ____ in the {{{{port}}}} again .\nThe name is {}\n\n"
        examples = [sentence.format(number, RIGHT[f"train{number}"]) for number in range(6)]
        assert sum(one in prompt for one in examples) == 2
        assert prompt.count("Sentence: ") == 3


def test_a_generated_answer_is_compared_with_the_answers_name(runs, shots):
    samples = runs[shots]["samples"]["wdw_generate"]
    for one in samples:
        listed = "; ".join(one["doc"]["choices"][at] for at in one["doc"]["shown"])
        assert one["arguments"][0][0].endswith(f"\nOne of: {listed}\nThe name is")
    assert [sample["target"] for sample in samples] == [RIGHT[sample["doc"]["id"]] for sample in samples]
    exact = [sample["filtered_resps"][0].casefold() == sample["target"].casefold() for sample in samples]
    assert runs[shots]["results"]["wdw_generate"]["exact_match,stripped"] == sum(exact) / 6


@pytest.mark.parametrize("task", NAMED_TASKS)
def test_the_accuracy_of_generated_answers_is_that_of_the_names_that_they_give(runs, shots, task):
    samples = runs[shots]["samples"][task]
    for sample in samples:
        named = named_choice(sample["filtered_resps"][0], sample["doc"]["choices"])
        assert sample["acc"] == (named == sample["doc"]["answer"])
    assert runs[shots]["results"][task]["acc,stripped"] == pytest.approx(sum(one["acc"] for one in samples) / 6)


def test_letters_are_scored_and_the_gold_letter_is_that_of_the_answer(runs, shots):
    for sample in runs[shots]["samples"]["wdw_letters"]:
        assert [continuation for _, continuation in sample["arguments"]] == [" A", " B", " C"]
        letter = "ABC"[sample["target"]]
        assert f"\n{letter}. {RIGHT[sample['doc']['id']]}\n" in sample["arguments"][0][0].rpartition("Sentence: ")[2]


def test_the_likelihood_is_divided_by_that_of_the_choice_alone(runs, shots):
    for task in ("wdw_pmi", "wdw_pmi_question_only"):
        for sample in runs[shots]["samples"][task]:
            given = [float(response[0]) for response in sample["filtered_resps"]]
            assert [prompt for prompt, _ in sample["arguments"]][3:] == ["", "", ""]
            gains = [given[at] - given[at + 3] for at in range(3)]
            assert sample["acc_mutual_info"] == (gains.index(max(gains)) == sample["doc"]["answer"])


def test_the_script_of_the_export_turns_the_samples_of_every_task_into_the_predictions_that_were_scored(runs, shots):
    for task, samples in runs[shots]["samples"].items():
        out = python(runs["export"] / "predictions.py", input="\n".join(map(json.dumps, samples)))
        found = [json.loads(line) for line in out.splitlines()]
        assert [one["id"] for one in found] == [sample["doc"]["id"] for sample in samples]
        for one, sample in zip(found, samples, strict=True):
            scores = one["scores"]
            right = bool(scores) and scores.index(max(scores)) == sample["doc"]["answer"]
            assert right == sample[next(name for name in ("acc", "acc_mutual_info") if name in sample)], task
