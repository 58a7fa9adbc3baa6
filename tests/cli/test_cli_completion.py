"""Shell completion: what a shell offers, where the script is written, and that it is written once."""

import os
import subprocess

import pytest

from wdw_build.cli.completion import SHELLS, show
from wdw_build.cli.parser import build_parser
from wdw_build.pipeline import BY_NAME
from wdw_build.registry import exporter_names

# Fills the variables that bash gives to a completion function, calls it and prints what it offers.
_COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
$(complete -p wdw-build | sed 's/.*-F \\([^ ]*\\).*/\\1/')
printf '%s\\n' "${COMPREPLY[@]}"
"""
PATHS = {
    "bash": ".local/share/bash-completion/completions/wdw-build",
    "zsh": ".zfunc/_wdw-build",
    "fish": ".config/fish/completions/wdw-build.fish",
}


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The script for bash."""
    path = tmp_path_factory.mktemp("completion") / "wdw-build"
    path.write_text(show(build_parser(), "bash"), encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder of the test's own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "BASH_COMPLETION_USER_DIR", "SHELL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["re"], ["rebuild", "report"]),
        (["run", "s"], [name for name in BY_NAME if name.startswith("s")]),
        (["run", "--from", "q"], ["questions"]),
        (["export", ""], list(exporter_names())),
        (["annotate", "sheet", "--from", "t"], ["train", "train.relaxed", "test"]),
        (["config", "s"], ["show", "schema"]),
        (["all", "--dr"], ["--dry-run"]),
        (["--install-completion", ""], list(SHELLS)),
    ],
)
def test_bash_completes_commands_options_stages_and_formats(script, words, offered):
    arguments = ["bash", "-c", _COMPLETE, "bash", str(script), "wdw-build", *words]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]})
    assert sorted(done.stdout.split()) == sorted(offered)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_written_once_where_the_shell_looks_and_can_be_removed(call, home, shell):
    first = call("--install-completion", shell)
    path = home / PATHS[shell]
    assert (first.code, first.err) == (0, "")
    assert f"completion for {shell} written: {path}" in first.out
    assert f"Undo: rm {path}" in first.out
    assert path.read_text(encoding="utf-8") == call("--show-completion", shell).out.removesuffix("\n")
    written = path.stat().st_mtime_ns
    assert "is up to date" in call("--install-completion", shell).out
    assert path.stat().st_mtime_ns == written


def test_the_shell_is_that_of_the_environment_and_another_one_is_refused(call, home, monkeypatch):
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    call("--install-completion")
    assert (home / PATHS["zsh"]).exists()
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    answer = call("--install-completion")
    assert (answer.code, answer.out) == (2, "")
    assert "no completion for the shell 'tcsh'" in answer.message
    assert "--install-completion {bash,zsh,fish}" in answer.message
