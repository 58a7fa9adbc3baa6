"""A finished run is enough: commands that read it need no corpus, and none of them changes it."""

import json
import shutil

import pytest
from cli_corpora import sample_lines, write_corpus

from support.read_only import make_read_only
from wdw_build.registry import exporter_names

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("servers_that_end")]


def snapshot(folder):
    """Names, targets of links and bytes of a run, without its exports."""
    paths = [path for path in folder.rglob("*") if not path.relative_to(folder).parts[0].startswith("exports")]
    return {path: path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes() for path in paths}


# --- an export leaves the run as it is --------------------------------------------------------------------------------

READING = [["summary"], ["datasheet", "-o", "-"], ["status"], ["gc", "--keep-days", "0"]]


def test_no_export_changes_a_run_or_what_commands_say_about_it(copied, call, tmp_path):
    def said():
        exported = call("export", "jsonl", "-q", "--force", "-o", tmp_path / "x", "-c", copied.folder)
        files = {path.name: path.read_bytes() for path in (tmp_path / "x").rglob("*") if path.is_file()}
        checks = json.loads(call("verify", "-q", "--json", "-c", copied.folder).out)["checks"]
        kept = [(check["name"], check["failures"]) for check in checks]
        return exported, files, kept, [call(*command, "-c", copied.folder)[::2] for command in READING]

    before, told = snapshot(copied.folder), said()
    for names in ("original", "codes"):
        for form in exporter_names():
            answer = call("export", form, "--names", names, "-q", "-c", copied.config)
            assert answer.code == 0, answer.err
    assert snapshot(copied.folder) == before
    assert said() == told
    assert call("all", "-q", "-c", copied.config).code == 0
    assert snapshot(copied.folder) == before


def test_settings_of_an_export_go_to_the_export_alone(copied, call):
    before = snapshot(copied.folder)
    for setting in ("export.formats=[squad]", "export.choices=shuffled", "release.title=Other", "execution.workers=2"):
        assert call("export", "squad", "-q", "-c", copied.folder, "--set", setting).code == 0
    assert snapshot(copied.folder) == before
    assert call("verify", "-q", "-c", copied.folder).code == 0


def test_what_an_export_with_codes_was_made_from_is_kept_and_checked(copied, call):
    assert call("export", "jsonl", "--names", "codes", "-q", "-c", copied.folder).code == 0
    exports = copied.folder / "exports-codes"
    assert (exports / "pseudonyms" / "manifest.json").is_file()
    assert not (copied.folder / "pseudonyms").exists()
    assert call("gc", "--delete", "--keep-days", "0", "-q", "-c", copied.folder).code == 0
    assert call("verify", "-q", "-c", copied.folder).code == 0
    test = exports / "jsonl" / "test.jsonl"
    test.write_bytes(test.read_bytes().replace(b"@entity", b"@Entity", 1))
    answer = call("verify", "-q", "-c", copied.folder)
    assert answer.code == 4
    assert "exports-codes/jsonl/test.jsonl: line 1 is not that of the stored problems" in answer.out
    assert "wdw-build export with the format" in answer.message


# --- a run without its corpus -----------------------------------------------------------------------------------------


def gone(copied):
    copied.corpus.unlink()


def changed(copied):
    write_corpus(copied.corpus.parent, sample_lines()[:30])


# Every command that takes -c, in the order of the help; {id} is the id of a problem.
WITHOUT_CORPUS = [
    ["status"],
    ["inspect", "split", "-n", "2"],
    ["trace", "{id}"],
    ["explore", "--no-serve"],
    ["summary"],
    ["verify"],
    ["export", "squad"],
    ["export", "squad", "--names", "codes"],
    ["datasheet"],
    ["report"],
    ["gc"],
    ["config", "show"],
    ["bench", "--systems", "word-overlap"],
    ["annotate", "--problems", "2"],
    ["collect", "--adversary", "none"],
    ["quality", "phenomena"],
]
WITH_CORPUS = [
    ["all"],
    ["all", "--dry-run"],
    ["run", "ingest"],
    ["config", "check"],
    ["export", "keys"],
    ["status", "--check"],
]


@pytest.fixture
def problem(built):
    return json.loads((built.folder / "split" / "part-00000.jsonl").read_text().splitlines()[0])["id"]


def test_commands_that_read_a_run_work_without_its_corpus(copied, call, problem):
    gone(copied)
    # The folder of a run stands for its configuration in every command alike.
    for number, words in enumerate(WITHOUT_CORPUS):
        command = [word.format(id=problem) for word in words]
        answer = call(*command, "-c", copied.folder if number % 2 else copied.config)
        assert answer.code == 0, (command, answer.err)
    for source in (copied.config, copied.folder):
        for command in WITH_CORPUS:
            answer = call(*command, "-c", source)
            assert answer.code == 3, (command, answer.err)
            assert f"there is no file or folder {copied.corpus}" in answer.message
    assert call("diff", copied.folder, copied.config).code == 0


def test_status_says_what_is_not_known_without_the_corpus(copied, call):
    gone(copied)
    answer = call("status", "-c", copied.config)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "ingest     up to date, unless the reader changed"
    assert lines[1].split() == ["index", "up", "to", "date"]
    assert lines[-1] == f"not known: whether the reader changed: there is no file or folder {copied.corpus}"
    row = json.loads(call("status", "--json", "-c", copied.config).out)[0]
    assert row["unexamined"] == {"reader": f"there is no file or folder {copied.corpus}"}
    assert call("status", "--check", "-c", copied.config, "--set", "split.gap_days=5").code == 4


@pytest.mark.parametrize("remove", [lambda copied: None, gone], ids=["with-corpus", "without-corpus"])
def test_an_edited_configuration_is_refused_with_and_without_the_corpus(copied, call, remove):
    remove(copied)
    commands = [["summary"], ["export", "squad"], ["datasheet"], ["report"], ["annotate"]]
    edits = [(command, "split.gap_days=5") for command in commands]
    for command, edit in [*edits, (["summary"], "seed=3"), (["summary"], "corpus.options.fields.title=title")]:
        answer = call(*command, "-q", "-c", copied.config, "--set", edit)
        assert (answer.code, answer.out) == (2, ""), (command, edit)
        assert "run 'tiny' " in answer.message
        assert f"-c {copied.folder} for the run as it was built" in answer.message


def test_a_run_whose_corpus_changed_is_read_as_it_was_built_by_its_folder_alone(copied, call):
    told = call("summary", "-c", copied.folder)
    changed(copied)
    answer = call("summary", "-c", copied.config)
    assert (answer.code, answer.out) == (2, "")
    assert "run 'tiny' is not up to date: ingest: backend reader changed" in answer.message
    assert f"-c {copied.folder} for the run as it was built" in answer.message
    assert call("summary", "-c", copied.folder) == told
    assert call("export", "squad", "--names", "codes", "-q", "-c", copied.folder).code == 0
    assert "would run: backend reader changed" in call("status", "-c", copied.folder).out


def test_a_run_is_read_where_its_output_folder_is_now(copied, call, tmp_path):
    told = call("summary", "-c", copied.folder).out
    gone(copied)
    (tmp_path / "out").rename(tmp_path / "moved")
    folder = tmp_path / "moved" / "runs" / "tiny"
    assert call("summary", "-c", folder).out == told.replace(str(copied.folder), str(folder))
    assert call("export", "squad", "--names", "codes", "-q", "-c", folder).code == 0
    assert not (tmp_path / "out").exists()
    # A copy of the run alone, with its outputs in place of links.
    shutil.copytree(folder, tmp_path / "alone", ignore=shutil.ignore_patterns("exports*"))
    assert call("export", "squad", "-q", "-c", tmp_path / "alone").code == 0
    answer = call("export", "squad", "--names", "codes", "-q", "-c", tmp_path / "alone")
    assert answer.code == 2
    assert "is not in its output_dir" in answer.message


# --- what a command says ----------------------------------------------------------------------------------------------


def test_where_a_run_may_not_be_written_to_the_hint_is_the_option_for_another_place(
    copied, call, tmp_path, monkeypatch
):
    make_read_only(monkeypatch, copied.folder)
    for command in (["report"], ["datasheet"], ["export", "squad"]):
        answer = call(*command, "-q", "-c", copied.folder)
        assert answer.code == 1
        assert "Read-only file system" in answer.message
        assert "names another place" in answer.message
        assert "  try: -o " in answer.message
        assert call(*command, "-q", "-c", copied.folder, "-o", tmp_path / command[0]).code == 0


def test_run_says_which_outputs_it_took_from_the_store(copied, call):
    changed = ("--set", "retrieve.windows=[1]")
    assert call("run", "retrieve", "-q", "-c", copied.config, *changed).out.startswith("ran: retrieve\nout of date")
    answer = call("run", "retrieve", "-q", "-c", copied.config)
    assert answer.out == "taken from the store, so that the run has other outputs now: retrieve\n"
    assert call("run", "retrieve", "-q", "-c", copied.config).out == "nothing to do: up to date\n"
    call("run", "retrieve", "-q", "-c", copied.config, *changed)
    assert json.loads(call("run", "retrieve", "--json", "-q", "-c", copied.config).out)["linked"] == ["retrieve"]


def test_the_remedy_for_outputs_that_do_not_fit_the_configuration_is_to_build_again(copied, call):
    answer = call("verify", "-q", "-c", copied.config, "--set", "split.gap_days=5")
    assert answer.code == 4
    assert "FAIL chain" in answer.out
    assert "wdw-build all with the same options" in answer.message


def test_keys_say_how_to_rebuild_the_dataset_and_which_code_is_needed(copied, call, tmp_path):
    code = "def row(values):\n    return values\n"
    (tmp_path / "rows.py").write_text(code)
    options = ("--set", "corpus.options.row_function=rows.py")
    assert call("all", "-q", "-c", copied.config, *options).code == 0
    answer = call("export", "keys", "-c", copied.config, *options, "-o", tmp_path / "release")
    assert "people also need rows.py: publish it, too" in answer.err
    text = (tmp_path / "release" / "keys" / "README.md").read_text()
    assert "$ wdw-build rebuild . --corpus PATH --out dataset --verify" in text
    assert "- `rows.py` (SHA-256 `" in text
    for folder in ("theirs", "dataset"):
        (tmp_path / folder).mkdir()
    corpus = write_corpus(tmp_path / "theirs", sample_lines())
    (tmp_path / "theirs" / "rows.py").write_text(code)
    answer = call("rebuild", tmp_path / "release" / "keys", "--corpus", corpus, "-o", tmp_path / "dataset", "--verify")
    assert answer.code == 0, answer.err
    (tmp_path / "rows.py").unlink()
    assert call("summary", "-q", "-c", copied.config, *options).code == 0
