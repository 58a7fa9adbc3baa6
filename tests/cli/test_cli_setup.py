"""setup builds KenLM's tools into the environment, or says what is missing for that."""

import sys
from pathlib import Path

import pytest

from wdw_build.adapters import kenlm_build


@pytest.fixture(autouse=True)
def no_other_folder(monkeypatch):
    monkeypatch.delenv("WDW_KENLM_BIN", raising=False)


@pytest.fixture
def empty_prefix(monkeypatch, tmp_path):
    """An environment without KenLM's tools."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return tmp_path


def test_setup_has_nothing_to_do_where_lmplz_runs(call):
    answer = call("setup")
    assert (answer.code, answer.out.startswith("nothing to do: ")) == (0, True)
    assert call("setup", "--json").json == {"lmplz": str(Path(sys.prefix, "bin", "lmplz")), "built": False}


def test_setup_builds_nothing_that_would_not_be_found(call, empty_prefix, monkeypatch):
    monkeypatch.setenv("WDW_KENLM_BIN", "/elsewhere")
    call("setup").fails(3, "KenLM's tools are looked for in /elsewhere alone")
    assert not (empty_prefix / "bin").exists()


def test_the_tools_are_built_from_the_version_of_kenlm_that_is_installed():
    constraints = Path(__file__).parents[2] / "constraints.txt"
    assert f"kenlm=={kenlm_build.KENLM}" in constraints.read_text().splitlines()


@pytest.mark.parametrize("tool", ["g++", "make"])
def test_setup_without_a_compiler_names_it_and_the_way_without_kenlm(call, empty_prefix, monkeypatch, tool):
    which = kenlm_build.shutil.which
    monkeypatch.setattr(kenlm_build.shutil, "which", lambda name: None if name == tool else which(name))
    call("setup").fails(3, f"{tool} is missing", "build-essential", "baselines.use")


def test_setup_shows_the_last_lines_of_a_step_that_fails(call, empty_prefix, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    call("setup").fails(3, "the source of kenlm cannot be fetched", "PIP_INDEX_URL")
    assert not (empty_prefix / "bin").exists()


def test_setup_does_not_write_into_a_prefix_of_somebody_else(call, empty_prefix, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    call("setup").fails(3, "virtual environment")


def test_the_source_must_be_the_one_that_was_checked(tmp_path, monkeypatch):
    (tmp_path / f"kenlm-{kenlm_build.KENLM}.tar.gz").write_bytes(b"something else")
    monkeypatch.setattr(kenlm_build, "_step", lambda *_: None)
    with pytest.raises(kenlm_build.BuildError, match="another SHA-256"):
        kenlm_build._fetch(tmp_path)
