"""The search for files: the same as by pathlib, with an error for a folder that cannot be listed."""

import contextlib
import itertools
import os
import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import corpus_forms
from wdw_build.adapters.corpora.arrow_tables import HfReader
from wdw_build.adapters.corpora.reading.files import find_files
from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.errors import MissingResourceError

NAMES = ("a", "b", "ab", ".h", "a.x", "b.x", "C.X", ".h.x", "[z].x")
GLOBS = "* *.x **/*.x */*.x a/**/* **/a/* **/**/* */a/b.x ? [ab]* */**/*.x .* */.h/*".split()
LINE = '{"id": "a", "date": "2003-04-01", "text": "Body."}\n'


@contextlib.contextmanager
def unprivileged():
    """Root may read everything, so the test runs as another user: nobody."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def corpus():
    """A corpus with a folder ``closed`` that nobody may list; not in pytest's folder, which other users cannot enter."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus")
        for part in ("open", "closed/below"):
            (path / part).mkdir(parents=True)
            (path / part / "a.jsonl").write_text(LINE)
        for each in (path.parent, path, *path.rglob("*")):
            each.chmod(0o755 if each.is_dir() else 0o644)
        (path / "closed").chmod(0)
        yield path
        for folder in path.iterdir():
            folder.chmod(0o755)


@pytest.mark.parametrize("pattern", ["", "**/*.jsonl", "*/*/*.jsonl", "*/below/a.jsonl", "*/*"])
def test_a_folder_that_may_not_be_read_is_named_and_not_skipped(corpus, pattern):
    with unprivileged(), pytest.raises(MissingResourceError) as error:
        JsonlReader(corpus / pattern, {})
    assert error.value.message.startswith(f"Cannot read {corpus / 'closed'}")
    assert error.value.message.endswith(": Permission denied")
    assert "chmod -R u+rX" in error.value.hint
    assert error.value.exit_code == 3


def test_a_folder_that_the_glob_does_not_look_into_may_be_closed(corpus):
    with unprivileged():
        assert [file.name for file in JsonlReader(corpus / "open" / "*.jsonl", {}).files] == ["a.jsonl"]


@pytest.mark.parametrize("pattern", ["", "*.jsonl", "**/*", "part[a]/*", "a*?.jsonl"])
def test_signs_of_a_glob_in_the_name_of_a_folder_or_file_that_exists_are_no_wildcards(tmp_path, pattern):
    folder = tmp_path / "news [2014]"
    for name in ("a*?.jsonl", "part[a]/b.jsonl"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(LINE)
    reader = JsonlReader(folder / pattern, {})
    names = {"part[a]/*": ["b.jsonl"], "*.jsonl": ["a*?.jsonl"], "a*?.jsonl": ["a*?.jsonl"]}
    assert [file.name for file in reader.files] == names.get(pattern, ["a*?.jsonl", "b.jsonl"])
    assert reader.root == (folder / "part[a]" if pattern == "part[a]/*" else folder)


def test_a_hidden_folder_may_be_closed(corpus):
    (corpus / "closed").rename(corpus / ".closed")
    with unprivileged():
        assert [file.name for file in JsonlReader(corpus, {}).files] == ["a.jsonl"]


def test_files_in_a_folder_that_may_be_listed_and_not_entered_are_named(corpus):
    (corpus / "closed").chmod(0o444)
    with unprivileged(), pytest.raises(MissingResourceError, match=r"Cannot read .*/closed"):
        JsonlReader(corpus, {})


def fail_to_list(monkeypatch, name, number, reason):
    """Let each folder of this name fail to be listed."""
    scan = os.scandir

    def failing(folder):
        if Path(folder).name == name:
            raise OSError(number, reason, str(folder))
        return scan(folder)

    monkeypatch.setattr(os, "scandir", failing)


def test_a_folder_that_fails_to_be_listed_for_any_reason_is_named(corpus, monkeypatch):
    fail_to_list(monkeypatch, "closed", 5, "Input/output error")
    with pytest.raises(MissingResourceError, match=r"Cannot read .*/closed: Input/output error"):
        JsonlReader(corpus, {})


def test_a_saved_data_set_with_a_closed_folder_is_an_error(tmp_path, monkeypatch):
    articles = [{"id": "a", "date": "2014-03-04", "source": "HP", "title": "T", "paragraphs": ["One."]}] * 4
    corpus_forms.hf(articles, tmp_path / "set")
    fail_to_list(monkeypatch, "second", 13, "Permission denied")
    with pytest.raises(MissingResourceError, match="second"):
        HfReader(tmp_path / "set", {})


def listed(file, root):
    real = file.is_file() or (file.is_symlink() and not file.exists())
    return real and not any(part.startswith(".") for part in file.relative_to(root).parts)


def is_behind_link(file, start):
    """Whether a folder between ``start`` and the file is a link."""
    return any(folder.is_symlink() for folder in file.parents if folder != start and folder.is_relative_to(start))


def grown(root, seed):
    """Make a random tree of folders, files, and valid, broken and circular links."""
    draw, folders = random.Random(seed), [root]
    for _ in range(draw.randint(3, 25)):
        path = draw.choice(folders) / draw.choice(NAMES)
        kind = draw.random()
        if os.path.lexists(path):
            continue
        if kind < 0.4:
            path.mkdir()
            folders.append(path)
        elif kind < 0.75:
            path.write_text("")
        else:
            path.symlink_to(draw.choice([draw.choice(folders), "gone", path.name, root / "a.x"]))


def found(path, endings):
    with contextlib.suppress(MissingResourceError):
        return find_files(path, endings)
    return []


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6))
def test_what_is_found_is_what_pathlib_finds(seed):
    root = Path(tempfile.mkdtemp(), "root")
    try:
        root.mkdir()
        grown(root, seed)
        expected = [file for file in root.rglob("*") if file.name.lower().endswith(".x") and listed(file, root)]
        assert found(root, (".x",)) == sorted(expected, key=lambda file: file.relative_to(root).as_posix())
        for pattern in GLOBS:
            start = root.joinpath(*itertools.takewhile(str.isalpha, Path(pattern).parts))
            expected = {file for file in root.glob(pattern) if listed(file, root) and not is_behind_link(file, start)}
            # pathlib finds a broken link by a wildcard only.
            assert set(filter(Path.exists, found(root / pattern, ()))) == set(filter(Path.exists, expected))
    finally:
        shutil.rmtree(root.parent)
