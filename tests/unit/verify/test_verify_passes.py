"""A consistent run passes every check; an export changed as the configuration asks passes, too."""

import hashlib

import pytest

from support import consistent_run
from support.consistent_run import config
from wdw_build.core.config.settings import ExportConfig
from wdw_build.verify import PROMISES, verify

RENAMED = ("renamed-texts", "renamed-persons", "names-left")


def test_a_consistent_run_passes_and_every_check_looked_at_something(failing):
    assert failing() == []
    assert failing.report.ok
    assert [check.name for check in failing.report.checks] == list(PROMISES)
    # By default events may be cut, held-out problems may leak, and so few problems have no
    # adversaries. The command export wrote nothing.
    nothing = {check.name for check in failing.report.checks if not check.checked}
    optional = {"command-exports", "adversary-scope", "adversary-folds", "export-spans", "faulty-left-out", *RENAMED}
    assert nothing == {"split-events", "split-periods", "held-out-leaks", *optional}


def test_a_run_that_replaces_names_passes_and_the_checks_of_names_looked_at_something(failing):
    assert failing(export=ExportConfig(names="codes")) == []
    nothing = {check.name for check in failing.report.checks if not check.checked}
    assert not nothing & {*RENAMED}


@pytest.mark.parametrize("formats", [("jsonl",), ("wdw-xml",)])
def test_a_run_that_exports_one_format_passes(failing, formats):
    assert failing(export=ExportConfig(formats=formats)) == []


def drawn(one, seed=0):
    """A line with its choices in the order that the seed gives."""

    def number(name):
        key = f"{seed}\x1fexport\x1f{one['id']}\x1f{name}"
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:7], "big")

    choices = sorted(one["choices"], key=number)
    return one | {"choices": choices, "answer": choices.index(one["choices"][one["answer"]])}


def test_shuffled_choices_pass_in_the_order_of_the_seed_alone(failing, monkeypatch):
    shuffled = ExportConfig(choices="shuffled")
    assert failing(export=shuffled) == ["export-jsonl"]
    plain = consistent_run.export_line
    monkeypatch.setattr(consistent_run, "export_line", lambda one, level: drawn(plain(one, level)))
    assert failing(export=shuffled) == []
    assert failing() == ["export-jsonl"]


def test_a_problem_below_the_export_s_event_score_must_not_be_exported(failing):
    assert "export-files" in failing(export=ExportConfig(min_event_score=0.99))
    assert failing(export=ExportConfig(min_event_score=0.01)) == []


def test_of_other_formats_the_files_that_are_named_must_be_there(failing, tmp_path):
    def claim(folder):
        path = folder / "export/part-00000.jsonl"
        path.write_bytes(path.read_bytes().replace(b'"]}', b'","squad/test.json"]}'))

    formats = ExportConfig(formats=("jsonl", "wdw-xml", "squad"))
    assert "export-files" in failing(export=formats, after=claim)
    (tmp_path / "export/squad").mkdir()
    (tmp_path / "export/squad/test.json").write_text("{}")
    assert "export-files" not in failing(export=formats, after=claim)


def test_progress_is_told(failing, tmp_path):
    failing()
    said = []
    verify(tmp_path, config(), said.append)
    assert said[:3] == ["files and accounting", "problems", "duplicates"]
