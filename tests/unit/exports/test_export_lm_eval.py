"""The lm-eval export: lines, tasks and README, for texts that could be taken for templates, YAML or several lines."""

import ast
import importlib.util
import json
import re

import jinja2
import msgspec
import pytest
import yaml

from support import make
from wdw_bench.exports.lm_eval import LmEvalExporter
from wdw_build.reading.prompt import bulleted, chat_prompt

FILES = ["train", "train.relaxed", "validation", "test"]
TASKS = [
    *("wdw", "wdw_question_only", "wdw_filled", "wdw_filled_question_only", "wdw_pmi", "wdw_pmi_question_only"),
    *("wdw_letters", "wdw_generate", "wdw_generate_question_only", "wdw_chat", "wdw_chat_question_only"),
]
TEMPLATES = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)  # as the harness has it


class _Loader(yaml.SafeLoader):
    """Reads ``!function`` as the name of the function."""


_Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


def entry(name, split="test", level="strict", *, names=("Ann Ames", "Carl Cole"), answer=0, date=make.DAY, **parts):
    sentence = parts.get("sentence", "Then Mayor Ann Ames met Bob Beck again .")
    asked = make.question(name, sentence, parts.get("blank", "Mayor Ann Ames"), date=date)
    problem = make.problem(name, asked, parts.get("passage", "Ann Ames and Carl Cole spoke."), names, answer)
    return make.placed(problem, level, split)


def everywhere():
    return [
        entry("p1", "train", date=make.day(-9)),
        entry("p2", "train", "relaxed"),
        entry("p3", "validation"),
        entry("p4", "test", names=("Ann Ames", "Carl Cole", "Dora Dunn"), passage="Six words are in this one."),
        entry("p5", "test", date=make.day(3)),
    ]


def write(folder, problems):
    folder.mkdir(exist_ok=True)
    LmEvalExporter().write(folder, iter(problems))
    return folder / "lm-eval"


def lines(folder, name):
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_bytes().splitlines()]


def task(folder, name):
    """A task's settings, with those that it includes."""
    own = yaml.load((folder / f"{name}.yaml").read_text(encoding="utf-8"), _Loader)
    return yaml.load((folder / own.pop("include")).read_text(encoding="utf-8"), _Loader) | own


def rendered(folder, name, line, key="doc_to_text"):
    return TEMPLATES.from_string(task(folder, name)[key]).render(**line)


def canary(folder):
    return yaml.load((folder / "common_yaml").read_text(encoding="utf-8"), _Loader)["metadata"]["canary"]


# --- lines -----------------------------------------------------------------------------------------------------------


def test_each_choice_replaces_the_whole_deleted_phrase(tmp_path):
    (line,) = lines(write(tmp_path, [entry("p1", answer=1)]), "test")
    assert line["question"] == "Then ____ met Bob Beck again ."
    assert line["choices"] == ["Ann Ames", "Carl Cole"]
    assert line["filled"] == ["Then Ann Ames met Bob Beck again .", "Then Carl Cole met Bob Beck again ."]
    assert (line["id"], line["date"], line["answer"]) == ("p1", "2014-03-10", 1)


def test_sentences_and_names_are_one_line_and_the_passage_keeps_its_lines(tmp_path):
    odd = {"sentence": "Then Ann\nAmes  met\u2028Bob .", "blank": "Ann\nAmes", "passage": "Ann\nAmes\n\n and Bob.\r\n"}
    (line,) = lines(write(tmp_path, [entry("p1", names=("Ann\nAmes", "Bob\u2028 Beck"), **odd)]), "test")
    assert line["question"] == "Then ____ met Bob ."
    assert line["choices"] == ["Ann Ames", "Bob Beck"]
    assert line["filled"] == ["Then Ann Ames met Bob .", "Then Bob Beck met Bob ."]
    assert line["passage"] == odd["passage"]


# --- tasks -----------------------------------------------------------------------------------------------------------


def test_the_group_names_the_tasks(tmp_path):
    folder = write(tmp_path, everywhere())
    group = yaml.safe_load((folder / "wdw_all.yaml").read_text(encoding="utf-8"))
    assert (group["group"], group["task"]) == ("wdw_all", TASKS)
    assert sorted(path.stem for path in folder.glob("*.yaml")) == sorted([*TASKS, "wdw_all"])
    assert [task(folder, name)["task"] for name in TASKS] == TASKS


def test_only_the_tasks_that_read_give_the_passage(tmp_path):
    folder = write(tmp_path, everywhere())
    reading = ["wdw", "wdw_filled", "wdw_pmi", "wdw_letters", "wdw_generate", "wdw_chat"]
    assert [name for name in TASKS if "passage" in task(folder, name)["doc_to_text"]] == reading


def test_prompts_list_the_choices_in_an_order_by_hash_and_a_letter_stands_for_the_listed_choice(tmp_path):
    names = ("Ann Ames", "Carl Cole", "Dora Dunn")
    folder = write(tmp_path, [entry(f"p{number}", names=names, answer=number % 3) for number in range(12)])
    orders = set()
    for line in lines(folder, "test"):
        assert line["choices"] == list(names)
        listed = [names[at] for at in line["shown"]]
        orders.add(tuple(listed))
        assert rendered(folder, "wdw_generate", line).endswith(f"One of: {'; '.join(listed)}\nThe name is")
        for name in ("wdw_chat", "wdw_chat_question_only"):
            assert rendered(folder, name, line).endswith("with one of the names only:\n- " + "\n- ".join(listed))
        assert f"\nA. {listed[0]}\nB. {listed[1]}\nC. {listed[2]}\n" in rendered(folder, "wdw_letters", line)
        assert ast.literal_eval(rendered(folder, "wdw_letters", line, "doc_to_choice")) == ["A", "B", "C"]
        assert listed[int(rendered(folder, "wdw_letters", line, "doc_to_target"))] == names[line["answer"]]
    assert len(orders) > 3


def test_a_chat_task_asks_in_the_words_of_the_system_api(tmp_path):
    folder = write(tmp_path, [entry("p1", passage='Ann "Ames"\n\nCarl {{Cole}}', names=("Ann Ames", "Carl Cole"))])
    (line,) = lines(folder, "test")
    listed = bulleted([line["choices"][at] for at in line["shown"]])
    for name, text in (("wdw_chat", line["passage"]), ("wdw_chat_question_only", None)):
        assert rendered(folder, name, line) == chat_prompt(text, line["question"], "one of the names", listed, "____")


ANSWERS = [
    ("Ann Ames", 1, 1),
    ("ann ames.", 1, 1),
    ("It was Ames, I think.", 1, 0),
    *((text, 0, 0) for text in ("Zoë Cole", "Zoe Cole", "Ann Ames or Zoe Cole", "nobody", "")),
]


@pytest.mark.parametrize(("text", "acc", "exact"), ANSWERS)
def test_a_generated_answer_is_matched_by_name_surname_and_without_accents(tmp_path, text, acc, exact):
    folder = write(tmp_path, [entry("p1", names=("Ann Ames", "Zoë Cole"))])
    (line,) = lines(folder, "test")
    assert module(folder, "loader").score_name(line, [text]) == {"acc": acc, "exact_match": exact}
    assert module(folder, "loader").score_name(line | {"answer": 1}, ["It was zoe cole's"])["acc"] == 1


def module(folder, name):
    """A Python file of an export, loaded as the harness loads it."""
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


TEMPLATE_LIKE = ["{{ answer }}", "{% for x in y %}", "{# no #}", "a: b # c", "'\"", "Zoë 🙂", "\\n", "[1]"]


@pytest.mark.parametrize("odd", TEMPLATE_LIKE)
def test_texts_that_look_like_templates_reach_the_prompt_as_they_are(odd, tmp_path):
    parts = {"sentence": f"Then Ann Ames saw {odd} .", "blank": "Ann Ames", "passage": f"Ann {odd} Ames."}
    folder = write(tmp_path, [entry("p1", names=("Ann Ames", f"Bo {odd}"), **parts)])
    (line,) = lines(folder, "test")
    listed = "; ".join(line["choices"][at] for at in line["shown"])
    prompt = f"Ann {odd} Ames.\n\nSentence: Then ____ saw {odd} .\nOne of: {listed}\nThe name is"
    assert rendered(folder, "wdw_generate", line) == prompt


def test_settings_leave_out_splits_without_problems(tmp_path):
    full = task(write(tmp_path / "full", everywhere()), "wdw")
    files = {split: f"{split}.jsonl" for split in ("train", "validation", "test")}
    assert full["dataset_kwargs"]["data_files"] == files
    assert full["fewshot_config"]["split"] == full["training_split"] == "train"
    held_out = task(write(tmp_path / "part", [entry("p1", "validation"), entry("p2", "train", "relaxed")]), "wdw")
    assert held_out["dataset_kwargs"]["data_files"] == {"validation": "validation.jsonl"}
    assert held_out["validation_split"] == "validation"
    assert not {"training_split", "test_split", "fewshot_config"} & held_out.keys()


# --- canary and README -----------------------------------------------------------------------------------------------


def test_every_line_the_settings_and_the_readme_hold_the_canary(tmp_path):
    folder = write(tmp_path, everywhere())
    text = canary(folder)
    assert re.fullmatch(r"wdw-build canary [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text)
    assert text in (folder / "README.md").read_text(encoding="utf-8")
    assert [line["canary"] for name in FILES for line in lines(folder, name)] == [text] * 6


def test_the_canary_depends_on_texts_levels_and_splits_only(tmp_path):
    problem, place = entry("p1", "train")
    changed = msgspec.structs.replace(problem, passage=msgspec.structs.replace(problem.passage, text="Other."))
    versions = [
        [(problem, place)],
        [(changed, place)],
        [(problem, msgspec.structs.replace(place, split="test"))],
        [(problem, msgspec.structs.replace(place, level="relaxed"))],
        [(problem, place), entry("p2", "train")],
        [],
    ]
    found = [canary(write(tmp_path / f"{number}", version)) for number, version in enumerate(versions)]
    assert len(set(found)) == len(versions)
    assert canary(write(tmp_path / "again", versions[0])) == found[0]


def test_the_readme_tells_problems_chance_dates_and_length_of_each_split(tmp_path):
    text = (write(tmp_path, everywhere()) / "README.md").read_text(encoding="utf-8")
    first, last = make.DAY, make.day(3)
    assert f"| train | 1 | 0.500 | {make.day(-9)} to {make.day(-9)} | 6 |" in text
    assert f"| validation | 1 | 0.500 | {first} to {first} | 6 |" in text
    assert f"| test | 2 | 0.417 | {first} to {last} | 6 |" in text  # (1/3 + 1/2) / 2
    assert "$" not in text.replace("$ lm_eval", "")
