"""The text files of the lm-eval export: YAML of the tasks, and the README.

The harness registers every file named ``*.yaml`` as a task or a group. The settings that the tasks share are therefore in
``common_yaml``, which they include. Texts reach a prompt as values of Jinja templates, and are never parsed as templates.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Template

from wdw_build.records import Problem

GROUP = "wdw_all"
_INTRODUCTION = "Each sentence below is from a news article. A person's name is replaced by ____."
_HINT = "The article before it tells of the same event."
_CHOICE_METRICS = """\
output_type: multiple_choice
doc_to_target: answer
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: acc_norm
    aggregation: mean
    higher_is_better: true
"""
_NAMES = f"""{_CHOICE_METRICS}doc_to_choice: choices
"""
_FILLED = f"""{_CHOICE_METRICS}doc_to_choice: filled
"""
_GENERATED = """\
output_type: generate_until
doc_to_target: "{{choices[answer]}}"
generation_kwargs:
  until: ["\\n"]
  do_sample: false
  max_gen_toks: 32
filter_list:
  - name: stripped
    filter:
      - function: remove_whitespace
      - function: take_first
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
    ignore_case: true
    ignore_punctuation: true
"""
_TASKS = {
    "wdw": f"""{_NAMES}description: "{_INTRODUCTION} {_HINT}\\n\\n"
doc_to_text: "{{{{passage}}}}\\n\\nSentence: {{{{question}}}}\\nThe name is"
""",
    "wdw_question_only": f"""{_NAMES}description: "{_INTRODUCTION}\\n\\n"
doc_to_text: "Sentence: {{{{question}}}}\\nThe name is"
""",
    "wdw_filled": f"""{_FILLED}doc_to_text: passage
target_delimiter: "\\n\\n"
""",
    "wdw_filled_question_only": f"""{_FILLED}doc_to_text: ""
target_delimiter: ""
""",
    "wdw_generate": f"""{_GENERATED}description: "{_INTRODUCTION} {_HINT}\\n\\n"
doc_to_text: "{{{{passage}}}}\\n\\nSentence: {{{{question}}}}\\nOne of: {{{{choices | join('; ')}}}}\\nThe name is"
""",
}
_COMMON = Template("""\
# Settings that all tasks share. File names are relative to this folder: loader.py loads them.
dataset_path: json
dataset_kwargs:
  data_files:
$files
custom_dataset: !function loader.load
$splits
metadata:
  version: 1.0
  canary: $canary
""")
_README = Template("""\
# Who did What, for the lm-evaluation-harness

Person-centred cloze problems, made by wdw-build in the way of [Who did What](https://arxiv.org/abs/1608.05457). A model
gets a news sentence with a person's name replaced by `____`, an article on the same event, and some persons of that
article as choices.

```console
$$ lm_eval --model hf --model_args pretrained=MODEL --include_path FOLDER --tasks $group --num_fewshot 0
$$ lm_eval --model hf --model_args pretrained=MODEL --include_path FOLDER --tasks $group --num_fewshot 2
```

FOLDER is the folder of this file. It may lie anywhere: `loader.py` finds the JSON lines beside itself. The tasks were
tried with lm-eval 0.4.13.

| task | the model gets | it scores |
|---|---|---|
| `wdw` | passage and question | each choice as the continuation |
| `wdw_question_only` | question | the same |
| `wdw_filled` | passage | the sentence with each choice filled in |
| `wdw_filled_question_only` | nothing | the same |
| `wdw_generate` | passage, question and choices | the name that it generates (`exact_match`) |
| `$group` | all of these | |

`acc` takes the choice with the highest log-likelihood; `acc_norm` divides it by the length of the choice first. The
difference between `wdw` and `wdw_question_only` is what reading the passage adds: report both, with the same number of
examples, and chance.

| split | problems | chance | dates of the questions | words of the longest passage |
|---|---|---|---|---|
$rows

Few-shot examples come from `train.jsonl`. `train.relaxed.jsonl` has more of them; name it under `data_files` in
`common_yaml` to use it. A prompt that exceeds the model's context loses its beginning, and so the passage. Choose a
model whose context holds the longest passage once, and once more for each example.

## Contamination

The passages and questions are published news. A model may have seen them, or reports on the same events, in training if
its training data reaches beyond the dates above; it then answers from memory. Report the model's training cutoff with
the accuracy. An accuracy of `wdw_question_only` far above chance is a sign of memory, or of cues in the questions.

Each line of the data holds this string. Leave files that hold it out of training data, and search training data for it:

    $canary

It is a hash of the problems: another dataset has another one.

The texts belong to the owners of the corpus: its licence says whether this folder may be passed on.
""")


@dataclass
class SplitFacts:
    """Figures about the strict problems of a split; ``chance`` is the sum of 1 / choices over the problems."""

    problems: int = 0
    chance: float = 0.0
    first: dt.date = dt.date.max
    last: dt.date = dt.date.min
    longest: int = 0

    def add(self, problem: Problem) -> None:
        """Count a problem."""
        self.problems += 1
        self.chance += 1 / len(problem.choices)
        self.first, self.last = min(self.first, problem.date), max(self.last, problem.date)
        self.longest = max(self.longest, len(problem.passage.text.split()))


def task_files() -> dict[str, str]:
    """The YAML of each task and of the group, by file name."""
    tasks = {f"{name}.yaml": f"include: common_yaml\ntask: {name}\n{text}" for name, text in _TASKS.items()}
    members = "".join(f"  - {name}\n" for name in _TASKS)
    return {**tasks, f"{GROUP}.yaml": f"group: {GROUP}\ntask:\n{members}metadata:\n  version: 1.0\n"}


def common_yaml(splits: Sequence[str], canary: str) -> str:
    """The settings that the tasks share; ``splits`` are those with problems, because no library loads an empty file."""
    names = {"train": "training_split", "validation": "validation_split", "test": "test_split"}
    lines = [f"{names[split]}: {split}" for split in splits]
    if "train" in splits:
        lines += ["fewshot_config:", "  split: train", "  sampler: default"]
    files = "\n".join(f"    {split}: {split}.jsonl" for split in splits)
    return _COMMON.substitute(files=files, splits="\n".join(lines), canary=canary)


def readme(splits: Mapping[str, SplitFacts], canary: str) -> str:
    """The README: commands, tasks, figures about the splits, and the notice on contamination."""
    rows = "\n".join(_row(split, facts) for split, facts in splits.items())
    return _README.substitute(group=GROUP, rows=rows, canary=canary)


def _row(split: str, facts: SplitFacts) -> str:
    if not facts.problems:
        return f"| {split} | 0 | | | |"
    chance = f"{facts.chance / facts.problems:.3f}"
    return f"| {split} | {facts.problems} | {chance} | {facts.first} to {facts.last} | {facts.longest} |"
