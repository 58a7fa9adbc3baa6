"""The architecture is a test: who may import whom, and what the command line must not import."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from support.interpreter import modules_after

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "wdw_build"
HEAVY = frozenset(
    "torch stanza jnius jnius_config pyserini kenlm pulp nltk numpy yaml jinja2 fastapi starlette uvicorn itsdangerous anyio "
    "sqlite3 tokenizers".split()
)
OWN_HEAVY = {f"wdw_build.{part}" for part in ("adapters", "stages", "verify", "pipeline", "views")} | {"wdw_study.web"}


def heavy(loaded):
    return {name for name in loaded if name.partition(".")[0] in HEAVY or ".".join(name.split(".")[:2]) in OWN_HEAVY}


def test_the_check_for_heavy_modules_sees_them():
    assert heavy(modules_after("import wdw_build, wdw_build.stages.dedup, yaml")[1]) >= {"yaml", "wdw_build.stages"}


def test_importing_the_package_loads_no_other_module_of_it():
    loaded = modules_after("import wdw_build")[1]
    assert {name for name in loaded if name.startswith("wdw_build.")} == set()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["config", "--help"]])
def test_asking_for_help_answers_and_imports_nothing_heavy(arguments):
    shown, loaded = modules_after(f"from wdw_build.cli import main\nassert main({arguments!r}) == 0")
    assert "wdw-build" in shown
    assert heavy(loaded) == set()


def test_the_text_rules_import_no_other_library_but_msgspec_until_they_parse_or_split_sentences():
    paths = sorted((ROOT / "src/wdw_build/text").rglob("*.py"))
    modules = [path.relative_to(ROOT / "src").with_suffix("") for path in paths if path.stem != "__init__"]
    names = [".".join(module.parts) for module in modules]
    loaded = modules_after("\n".join(f"import {name}" for name in names))[1]
    assert names[0] in loaded
    assert heavy(loaded) == set()


def test_only_stages_and_verify_know_a_stage_by_the_letters_of_its_name():
    """Elsewhere a stage is its descriptor or a table of ``dataset``: ``outputs["dedup"]`` or ``name == "dedup"`` is neither."""
    names, found = {path.stem for path in (SOURCE / "stages").iterdir()}, []
    for path in SOURCE.rglob("*.py"):
        # The adapters know no stages: there, such a word is a field of a corpus.
        if not {"adapters", "stages", "verify"} & set(path.relative_to(SOURCE).parts):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                keys = [node.slice] if isinstance(node, ast.Subscript) else []
                keys += [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
                known = [key for key in keys if isinstance(key, ast.Constant) and key.value in names]
                found += [f"{path}:{key.lineno}: {key.value}" for key in known]
    assert found == []


def test_every_exemption_from_a_check_gives_its_reason():
    """``# noqa: CODE (reason)`` and ``# type: ignore[code]  # reason``; a bare code says nothing."""
    bare = re.compile(r"# (?:ruff: )?(?:noqa|type: ignore|pragma: no \w+)(?:: ?[A-Z0-9, ]+|\[[\w, -]+\])?\s*$")
    paths = [path for folder in ("src", "scripts", "tests") for path in (ROOT / folder).rglob("*.py")]
    lines = [(path, number, line) for path in paths for number, line in enumerate(path.read_text().splitlines(), 1)]
    assert [f"{path}:{number}" for path, number, line in lines if bare.search(line)] == []


def word_lists(path):
    """The lists of words in the constants of a module: those that it splits, and the alternatives of regular expressions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split"), args=separators):
                yield text.split(*(separator.value for separator in separators))
            case ast.Constant(value=str(text)):
                yield from (words.split("|") for words in re.findall(r"(?<=[(|])[a-z]{2,}(?:\|[a-z]{2,})+", text))


def test_no_list_of_words_in_the_code_has_a_word_twice():
    repeated = {
        (path.name, word)
        for path in SOURCE.rglob("*.py")
        for words in word_lists(path)
        for word, count in Counter(words).items()
        if count > 1
    }
    assert repeated == set()
