"""A finished run is enough: commands that read it need no corpus, and none of them changes it."""

import shutil

import pytest
from cli_corpora import sample_lines, write_corpus

from support.read_only import make_read_only
from wdw_build.pipeline.registry import exporter_names

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
        checks = call("verify", "-q", "--json", "-c", copied.folder).json["checks"]
        kept = [(check["name"], check["failures"]) for check in checks]
        return exported, files, kept, [call(*command, "-c", copied.folder)[::2] for command in READING]

    before, told = snapshot(copied.folder), said()
    for names in ("original", "codes"):
        for form in exporter_names():
            call("export", form, "--names", names, "-q", "-c", copied.config).ok()
    assert snapshot(copied.folder) == before
    assert said() == told
    call("all", "-q", "-c", copied.config).ok()
    assert snapshot(copied.folder) == before


def test_settings_of_an_export_go_to_the_export_alone(copied, call):
    before = snapshot(copied.folder)
    for setting in ("export.formats=[squad]", "export.choices=shuffled", "release.title=Other", "execution.workers=2"):
        call("export", "squad", "-q", "-c", copied.folder, "--set", setting).ok()
    assert snapshot(copied.folder) == before
    call("verify", "-q", "-c", copied.folder).ok()


def test_what_an_export_with_codes_was_made_from_is_kept_and_checked(copied, call):
    call("export", "jsonl", "--names", "codes", "-q", "-c", copied.folder).ok()
    exports = copied.folder / "exports-codes"
    assert (exports / "pseudonyms" / "manifest.json").is_file()
    assert not (copied.folder / "pseudonyms").exists()
    call("gc", "--delete", "--keep-days", "0", "-q", "-c", copied.folder).ok()
    call("verify", "-q", "-c", copied.folder).ok()
    test = exports / "jsonl" / "test.jsonl"
    test.write_bytes(test.read_bytes().replace(b"@entity", b"@Entity", 1))
    fault = "exports-codes/jsonl/test.jsonl: line 1 is not that of the stored problems"
    call("verify", "-q", "-c", copied.folder).fails(4, "wdw-build export with the format", out=fault)


# --- a run without its corpus -----------------------------------------------------------------------------------------

# Every command that takes -c, in the order of the help; {id} is the id of a problem.
WITHOUT_CORPUS = """
status; inspect split -n 2; trace {id}; explore --no-serve; summary; verify; export squad; export squad --names codes;
datasheet; report; gc; config show; bench --systems word-overlap; annotate --problems 2; collect --adversary none;
quality phenomena
"""
WITH_CORPUS = "all; all --dry-run; run ingest; config check; export keys; status --check"


def test_commands_that_read_a_run_work_without_its_corpus(copied, call):
    copied.corpus.unlink()
    # The folder of a run stands for its configuration in every command alike.
    for number, command in enumerate(WITHOUT_CORPUS.format(id=copied.problems[0]).split(";")):
        call(*command.split(), "-c", copied.folder if number % 2 else copied.config).ok()
    for source in (copied.config, copied.folder):
        for command in WITH_CORPUS.split(";"):
            answer = call(*command.split(), "-c", source)
            assert (answer.code, f"there is no file or folder {copied.corpus}" in answer.message) == (3, True), command
    call("diff", copied.folder, copied.config).ok()


def test_status_says_what_is_not_known_without_the_corpus(copied, call):
    copied.corpus.unlink()
    missing = f"there is no file or folder {copied.corpus}"
    lines = call("status", "-c", copied.config).ok().out.splitlines()
    assert lines[0] == "ingest     up to date, unless the reader changed"
    assert lines[1].split() == ["index", "up", "to", "date"]
    assert lines[-1] == f"not known: whether the reader changed: {missing}"
    assert call("status", "--json", "-c", copied.config).json[0]["unexamined"] == {"reader": missing}
    assert call("status", "--check", "-c", copied.config, "--set", "split.gap_days=5").code == 4


@pytest.mark.parametrize("there", [True, False], ids=["with-corpus", "without-corpus"])
def test_an_edited_configuration_is_refused_with_and_without_the_corpus(copied, call, tmp_path, there):
    if not there:
        copied.corpus.unlink()
    before, commands = snapshot(copied.folder), [["summary"], ["datasheet"], ["report"], ["annotate"]]
    folder, edit = f"-c {copied.folder} for the run as it was built", "config split.gap_days 0 -> 5"
    other = f"run 'tiny' was built with another configuration (from the run to this configuration: {edit})"
    for command in (*commands, ["export", "jsonl", "-o", tmp_path / "new"]):
        call(*command, "-q", "-c", copied.config, "--set", "split.gap_days=5").fails(2, other, folder)
    for edit in ("seed=3", "corpus.options.fields.title=title", "questions.min_tokens=20"):
        call("summary", "-q", "-c", copied.config, "--set", edit).fails(2, "run 'tiny' ", folder)
    assert (snapshot(copied.folder), (tmp_path / "new").exists()) == (before, False)


def test_a_run_whose_corpus_changed_is_read_as_it_was_built_by_its_folder_alone(copied, call):
    told = call("summary", "-c", copied.folder)
    write_corpus(copied.corpus.parent, sample_lines()[:30])
    changed = "run 'tiny' is not up to date: ingest: backend reader changed"
    call("summary", "-c", copied.config).fails(2, changed, f"-c {copied.folder} for the run as it was built")
    assert call("summary", "-c", copied.folder) == told
    call("export", "squad", "--names", "codes", "-q", "-c", copied.folder).ok()
    assert "would run: backend reader changed" in call("status", "-c", copied.folder).out


def test_a_run_is_read_where_its_output_folder_is_now(copied, call, tmp_path):
    told = call("summary", "-c", copied.folder).out
    copied.corpus.unlink()
    (tmp_path / "out").rename(tmp_path / "moved")
    folder = tmp_path / "moved" / "runs" / "tiny"
    assert call("summary", "-c", folder).out == told.replace(str(copied.folder), str(folder))
    call("export", "squad", "--names", "codes", "-q", "-c", folder).ok()
    assert not (tmp_path / "out").exists()
    # A copy of the run alone, with its outputs in place of links.
    shutil.copytree(folder, tmp_path / "alone", ignore=shutil.ignore_patterns("exports*"))
    call("export", "squad", "-q", "-c", tmp_path / "alone").ok()
    call("export", "squad", "--names", "codes", "-q", "-c", tmp_path / "alone").fails(2, "is not in its output_dir")


# --- what a command says ----------------------------------------------------------------------------------------------


def test_where_a_run_may_not_be_written_to_the_hint_names_the_option(copied, call, tmp_path, monkeypatch):
    make_read_only(monkeypatch, copied.folder)
    for command in (["report"], ["datasheet"], ["export", "squad"]):
        answer = call(*command, "-q", "-c", copied.folder)
        answer.fails(1, "Read-only file system", "names another place", "  try: -o ")
        call(*command, "-q", "-c", copied.folder, "-o", tmp_path / command[0]).ok()


def test_run_says_which_outputs_it_took_from_the_store(copied, call):
    changed = ("--set", "retrieve.windows=[1]")
    assert call("run", "retrieve", "-q", "-c", copied.config, *changed).out.startswith("ran: retrieve\nout of date")
    answer = call("run", "retrieve", "-q", "-c", copied.config)
    assert answer.out == "taken from the store, so that the run has other outputs now: retrieve\n"
    assert call("run", "retrieve", "-q", "-c", copied.config).out == "nothing to do: up to date\n"
    call("run", "retrieve", "-q", "-c", copied.config, *changed)
    assert call("run", "retrieve", "--json", "-q", "-c", copied.config).json["linked"] == ["retrieve"]


def test_the_remedy_for_outputs_that_do_not_fit_the_configuration_is_to_build_again(copied, call):
    answer = call("verify", "-q", "-c", copied.config, "--set", "split.gap_days=5")
    answer.fails(4, "wdw-build all with the same options", out="FAIL chain")


def test_keys_say_how_to_rebuild_the_dataset_and_which_code_is_needed(copied, call, tmp_path):
    code = "def row(values):\n    return values\n"
    (tmp_path / "rows.py").write_text(code)
    options = ("-c", copied.config, "--set", "corpus.options.row_function=rows.py")
    call("all", "-q", *options).ok()
    answer = call("export", "keys", *options, "-o", tmp_path / "release")
    assert "people also need rows.py: publish it, too" in answer.err
    keys = tmp_path / "release" / "keys"
    text = (keys / "README.md").read_text()
    assert "$ wdw-build rebuild . --corpus PATH --out dataset --verify" in text
    assert "- `rows.py` (SHA-256 `" in text
    for folder in ("theirs", "dataset"):
        (tmp_path / folder).mkdir()
    corpus = write_corpus(tmp_path / "theirs", sample_lines())
    (tmp_path / "theirs" / "rows.py").write_text(code)
    call("rebuild", keys, "--corpus", corpus, "-o", tmp_path / "dataset", "--verify").ok()
    (tmp_path / "rows.py").unlink()
    call("summary", "-q", *options).ok()
