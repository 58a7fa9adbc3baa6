"""The documentation is complete and says nothing that is not there: what the code declares is compared with docs/."""

from __future__ import annotations

import argparse
import datetime as dt
import re
import shlex
import types
import typing
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from wdw_build import errors, records
from wdw_build.adapters.exports import jsonl as export_jsonl
from wdw_build.adapters.exports import key_lines as release
from wdw_build.cli import INTERRUPTED
from wdw_build.cli.parser import build_parser
from wdw_build.core.config.loading import RENAMED
from wdw_build.core.config.presets import PRESETS
from wdw_build.core.config.settings import Config, Section
from wdw_build.core.store.manifest import Timing
from wdw_build.estimate import projection as estimate_forms
from wdw_build.pipeline import BY_NAME, STAGES
from wdw_build.text.dates import parse_date
from wdw_build.views import summary
from wdw_build.views.card import audit_results as card_forms
from wdw_build.views.diff import differences as diff_forms
from wdw_build.views.quality import FAULTS, SPLITS
from wdw_build.views.quality import judgements as forms

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MISSING = (msgspec.NODEFAULT, msgspec.UNSET)


# ---- reading Markdown ------------------------------------------------------------------------------------------------


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def sections(text: str, level: int = 2) -> dict[str, str]:
    """Heading -> what stands under it, for the headings of one level (fenced blocks hold no headings)."""
    mark = "#" * level + " "
    found: dict[str, list[str]] = {}
    current: list[str] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith(mark) and not fenced:
            current = found.setdefault(line[len(mark) :].strip().strip("`"), [])
        elif line.startswith("#") and not fenced and len(line.split()[0]) < level:
            current = []
        else:
            current.append(line)
    return {heading: "\n".join(lines) for heading, lines in found.items()}


def rows(text: str) -> list[list[str]]:
    """The cells of every table row, heads and rulers left out."""
    found = []
    lines = text.splitlines()
    for line, after in pairwise([*lines, ""]):
        if line.startswith("|") and not re.match(r"^[|\s:-]+$", line) and not re.match(r"^[|\s:-]+$", after or "x"):
            found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return found


def first_cells(text: str) -> list[str]:
    return [row[0].strip("`") for row in rows(text) if row[0].startswith("`")]


def fenced(text: str, language: str | None = None) -> list[str]:
    """The fenced blocks, of one language or of any."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [body for kind, body in blocks if language is None or kind == language]


def documents() -> list[Path]:
    """Every .md of the project; outputs, environments and fetched corpora are not part of it."""
    left_out = {"out", "build", "external", "node_modules"}
    found = [
        path
        for path in ROOT.rglob("*.md")
        if not any(part.startswith(".") or part in left_out for part in path.relative_to(ROOT).parts)
    ]
    assert ROOT / "README.md" in found
    return sorted(found)


# ---- what the code declares ------------------------------------------------------------------------------------------


def is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Section)


def keys(kind: type[Section] = Config, prefix: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every key with its annotation and its default."""
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        annotation = hints[field.encode_name]
        if is_section(annotation):
            yield from keys(annotation, f"{prefix}{field.encode_name}.")
        else:
            default = field.default_factory() if field.default_factory not in MISSING else field.default
            yield prefix + field.encode_name, annotation, default


def limits(meta: msgspec.Meta) -> list[str]:
    found = {
        "{} or more": meta.ge,
        "more than {}": meta.gt,
        "{} or less": meta.le,
        "less than {}": meta.lt,
        "a multiple of {}": meta.multiple_of,
        "`{}`": meta.pattern,
        "{} or more of them": meta.min_length,
    }
    return [
        words.format(f"{value:g}" if isinstance(value, float) else value)
        for words, value in found.items()
        if value is not None
    ]


def values(annotation: Any) -> str:
    """What a key may be, in words."""
    if hasattr(annotation, "__metadata__"):
        metas = [meta for meta in annotation.__metadata__ if isinstance(meta, msgspec.Meta)]
        return ", ".join([values(annotation.__origin__), *(limit for meta in metas for limit in limits(meta))])
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(f"({text})" if "," in text else text for text in map(values, arguments))
    if origin is tuple:
        return f"list: {values(arguments[0])}"
    if origin is dict:
        return "map"
    return {int: "integer", float: "number", str: "text", bool: "`true` or `false`"}[annotation]


def plain(default: Any) -> str:
    """A default as YAML writes it."""
    if default in MISSING:
        return "must be given"
    text = yaml.safe_dump(msgspec.to_builtins(default), default_flow_style=True, width=10_000, allow_unicode=True)
    return f"`{text.removesuffix('...' + chr(10)).strip()}`".replace("|", "\\|")


def meaning(annotation: Any) -> str:
    metas = [meta for meta in annotation.__metadata__ if isinstance(meta, msgspec.Meta)]
    return " ".join(meta.description for meta in metas if meta.description)


def key_row(key: str, annotation: Any, default: Any) -> str:
    return f"| `{key}` | {values(annotation)} | {plain(default)} | {meaning(annotation)} |"


def type_name(kind: Any) -> str:
    """The type of a record's field, in words."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and arguments[-1] is Ellipsis:
        return f"list of {type_name(arguments[0])}"
    if origin is tuple:
        return f"[{', '.join(type_name(argument) for argument in arguments)}]"
    if origin is dict:
        return f"map of {type_name(arguments[1])}"
    if origin is typing.Literal:
        return "text"
    if origin in (typing.Union, types.UnionType):
        return " or ".join(type_name(argument) for argument in arguments)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return f"[{kind.__name__}](#{kind.__name__.lower()})"
    return {int: "integer", float: "number", str: "text", bool: "true or false", dt.date: "date", type(None): "null"}[
        kind
    ]


def structs() -> list[type[msgspec.Struct]]:
    """Everything that docs/records.md must explain."""
    bases = {records.Part, records.Record}
    found = [
        value
        for module in (records, export_jsonl, release, summary, forms, estimate_forms, card_forms, diff_forms)
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == module.__name__
    ]
    return [kind for kind in [*found, Timing] if kind not in bases]


# ---- stages ----------------------------------------------------------------------------------------------------------

STAGE_DOCS = "docs/stages.md"


def test_every_stage_has_a_section_and_every_section_that_looks_like_one_is_a_stage():
    overview = rows(text_of(STAGE_DOCS).split("\n## ")[0])
    assert [row[0].strip("`[]").split("]")[0].strip("`") for row in overview] == list(BY_NAME)
    assert [heading for heading in sections(text_of(STAGE_DOCS)) if heading in BY_NAME] == list(BY_NAME)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_the_section_of_a_stage_says_what_it_reads_and_writes_and_how_it_runs(stage):
    facts = dict(row[:2] for row in rows(sections(text_of(STAGE_DOCS))[stage.name].split("###")[0]))
    reads = ", ".join(f"`{name}`" for name in stage.reads) or "the corpus"
    ports = ", ".join(f"`{name}`" for name in stage.ports) or "none"
    assert facts["reads"] == reads
    assert facts["writes"] == f"[{stage.writes.__name__}](records.md#{stage.writes.__name__.lower()})"
    assert facts["ports"] == ports
    assert facts["scope"] == stage.scope
    assert facts["unit"] == stage.unit
    assert facts["version"] == str(stage.version)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
@pytest.mark.parametrize(("heading", "declared"), [("Rejections", "reasons"), ("Rules", "rules")])
def test_every_reason_and_rule_of_a_stage_is_documented_as_it_is_declared(stage, heading, declared):
    parts = sections(sections(text_of(STAGE_DOCS))[stage.name], level=3)
    documented = {row[0].strip("`"): row[1] for row in rows(parts.get(heading, ""))}
    assert documented == {name: text.replace("|", "\\|") for name, text in getattr(stage, declared).items()}


@pytest.mark.parametrize(("key", "annotation", "default"), list(keys()), ids=lambda value: str(value)[:40])
def test_every_key_is_documented_with_its_values_default_and_help(key, annotation, default):
    heading = key.split(".")[0] if "." in key and key.split(".")[0] in BY_NAME else "Keys of no stage"
    expected = key_row(key, annotation, default)
    assert expected in sections(text_of(STAGE_DOCS))[heading].splitlines(), f"docs/stages.md lacks:\n{expected}"


def test_no_key_is_documented_that_does_not_exist():
    # The changelog and the page of a key may name what it was called before.
    known = {key for key, _, _ in keys()} | RENAMED.keys()
    owners = {key.split(".")[0] for key in known if "." in key}
    parents = {key.rpartition(".")[0] for key in known}
    for path in documents():
        for key in re.findall(r"`([a-z_]+\.[a-z_][\w.]*)(?:[:=][^`]*)?`", path.read_text(encoding="utf-8")):
            if key.split(".")[0] not in owners or key.endswith((".py", ".md", ".json", ".jsonl", ".yaml", ".svg")):
                continue
            assert key in known | parents or key.startswith("corpus.options."), f"{path.name}: no key {key}"


def test_the_yaml_in_the_docs_has_known_keys_only():
    known = {key for key, _, _ in keys()}
    for path in documents():
        for block in fenced(path.read_text(encoding="utf-8"), "yaml"):
            for name, value in (yaml.safe_load(block) or {}).items():
                assert name in known or is_section(typing.get_type_hints(Config)[name]), f"{path.name}: {name}"
                for below in value if name not in known else ():
                    assert f"{name}.{below}" in known, f"{path.name}: {name}.{below}"


def test_the_reading_of_the_paper_names_every_key_that_changes_what_comes_out():
    text = text_of("docs/algorithm.md")
    readings = ("questions", "retrieve", "choices", "dedup", "baselines", "suppress", "split")
    lacking = [key for key, _, _ in keys() if key.split(".")[0] in readings and f"`{key}`" not in text]
    assert not lacking


def test_the_reading_of_the_paper_gives_the_values_of_both_presets():
    defaults = {key: plain(default) for key, _, default in keys()}
    paper = {
        f"{section}.{key}": plain(value) for section, own in PRESETS["paper"].items() for key, value in own.items()
    }
    shown = set()
    for row in rows(text_of("docs/algorithm.md")):
        careful, other = (dict(re.findall(r"`([a-z_]+\.[a-z_]+)` (?:=|is) (`[^`]*`)", cell)) for cell in row[-2:])
        assert all(defaults[key] == value for key, value in careful.items()), row[-2]
        assert len(careful) == len(re.findall(r"`[a-z]+\.[a-z_]+`", row[-2])), f"a key without its default: {row[-2]}"
        assert other == {key: paper[key] for key in careful if key in paper}, row[-1]
        shown |= other.keys()
    assert shown == paper.keys()


def test_the_reading_of_the_paper_names_every_rule_that_refuses():
    text = text_of("docs/algorithm.md")
    for stage in STAGES:
        for rule in [*stage.rules, *(stage.reasons if stage.name == "questions" else ())]:
            assert f"`{rule}`" in text, f"{stage.name}: {rule}"


# ---- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", structs(), ids=lambda kind: kind.__name__)
def test_every_record_is_documented_field_by_field_with_its_type(kind):
    documented = rows(sections(text_of("docs/records.md"), level=3)[kind.__name__])
    hints = typing.get_type_hints(kind)
    assert [(row[0].strip("`"), row[1]) for row in documented] == [
        (field.encode_name, type_name(hints[field.encode_name])) for field in msgspec.structs.fields(kind)
    ]
    assert all(row[2] for row in documented)


def test_no_record_is_documented_that_does_not_exist():
    assert set(sections(text_of("docs/records.md"), level=3)) == {kind.__name__ for kind in structs()}


# ---- the command line ------------------------------------------------------------------------------------------------


def commands() -> dict[str, argparse.ArgumentParser]:
    """Command -> parser; ``config show`` and the like under their two words."""
    found = {}
    for name, parser in _subparsers(build_parser()).items():
        found[name] = parser
        found.update({f"{name} {below}": deeper for below, deeper in _subparsers(parser).items()})
    return found


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    groups = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(groups[0]) if groups else {}


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings}


def test_every_command_has_a_section_and_no_other_does():
    documented = {heading for heading in sections(text_of("docs/cli.md")) if heading == heading.lower()}
    assert documented == {name for name in commands() if " " not in name}


@pytest.mark.parametrize(("name", "parser"), commands().items())
def test_every_option_of_a_command_is_documented_in_its_section(name, parser):
    parts = sections(text_of("docs/cli.md"))
    here = parts[name.split()[0]]
    documented = {*first_cells_split(here), *first_cells_split(parts["Options of every command"])}
    assert not options(parser) - documented
    assert f"`{name}`" in here or f"`{name.split()[-1]}`" in here or " " not in name


def first_cells_split(text: str) -> list[str]:
    return [option.strip(" `").split()[0] for row in rows(text) for option in row[0].split(",")]


def test_no_option_is_documented_that_does_not_exist():
    known = set().union(*(options(parser) for parser in commands().values()), options(build_parser()))
    shown = set(re.findall(r"`(--?[a-z][a-z-]*)", text_of("docs/cli.md")))
    assert shown <= known


def test_every_fault_that_a_reader_can_tick_is_documented_and_every_split_that_can_be_drawn_from():
    section = sections(text_of("docs/cli.md"))["quality"]
    assert {row[0].strip("`"): row[1] for row in rows(section) if row[0].strip("`") in FAULTS} == FAULTS
    row = next(row for row in rows(section) if row[0] == "`--from SPLIT`")
    assert re.findall(r"`([a-z.]+)`", row[1]) == list(SPLITS)
    (drawn,) = (action for action in commands()["quality"]._actions if action.dest == "split")
    assert drawn.choices == list(SPLITS)


def test_every_exit_code_is_documented():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.WdwError)]
    codes = {"0", str(INTERRUPTED), *(str(kind.exit_code) for kind in kinds)}
    assert codes == set(first_cells(sections(text_of("docs/cli.md"))["Exit codes"]))


def test_every_environment_variable_is_documented():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    read = set(re.findall(r'"([A-Z]+(?:_[A-Z]+)*_(?:HOME|BIN|DIR|COLOR))"', sources))
    assert read == set(first_cells(sections(text_of("docs/cli.md"))["Environment variables"]))


def command_lines(text: str) -> Iterator[str]:
    for block in fenced(text):
        joined = block.replace("\\\n", " ")
        yield from re.findall(r"^\s*(?:\$ )?((?:[\w./]*/)?wdw-build [^\n]*)$", joined, re.MULTILINE)


def runnable(line: str) -> list[str]:
    """A command line with its placeholders in capitals filled in, without what the shell does with the output."""
    words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)[1:]
    known = {"STAGE": "ingest", "N": "3", "REASON": "no-date", "KEY=VALUE": "seed=1"}
    return [known.get(word, "x" if re.fullmatch(r"[A-Z]+", word) else word) for word in words]


def understood(words: list[str]) -> tuple[argparse.Namespace, int]:
    """What the parser makes of a command line, and its exit code if it ends the program (``--help``)."""
    try:
        return build_parser().parse_args(words), 0
    except SystemExit as end:
        return argparse.Namespace(), int(end.code or 0)


@pytest.mark.parametrize(
    ("place", "line"),
    [(path.name, line) for path in documents() for line in command_lines(path.read_text(encoding="utf-8"))],
)
def test_every_command_line_in_the_docs_is_understood(place, line, capsys):
    parsed, code = understood(runnable(line))
    assert not code, f"{place}: {line}\n{capsys.readouterr().err}"
    assert getattr(parsed, "stage", None) in {None, *BY_NAME}
    known = {key for key, _, _ in keys()}
    for override in getattr(parsed, "overrides", []):
        key = override.partition("=")[0]
        assert key in known or key.startswith("corpus.options."), f"{place}: {line}"


def test_there_are_command_lines_to_check():
    assert len(list(command_lines(text_of("README.md")))) >= 5


# ---- links -----------------------------------------------------------------------------------------------------------


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    unfenced = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    found = re.findall(r"^#+ (.*)$", unfenced, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in found}


def links(text: str) -> list[str]:
    shown = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return re.findall(r"\]\(([^)\s]+)\)", shown) + re.findall(r'(?:src|href|srcset)="([^"]+)"', shown)


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(path):
    for link in links(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), f"{path.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{path.name}: {link}"


# ---- the embedded corpus ---------------------------------------------------------------------------------------------


def decoded(line: bytes) -> dict[str, Any]:
    """An article of the corpus; a line that is cut off on purpose holds none."""
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        return {}


def test_the_counts_in_the_readme_of_the_embedded_corpus_are_right():
    articles: dict[str, dict[str, Any]] = {}
    lines = (ROOT / "data/sample/articles.jsonl").read_bytes().splitlines()
    for line in lines:
        article = decoded(line)
        if article.get("text") and parse_date(article.get("date", ""), ()):
            articles.setdefault(article["id"], article)
    table = {row[0]: row[1:] for row in rows(text_of("data/sample/README.md"))}
    for source in sorted({article["source"] for article in articles.values()}):
        dates = [article["date"] for article in articles.values() if article["source"] == source]
        months = [sum(date.startswith(f"2014-{month:02}") for date in dates) for month in (3, 4, 5)]
        assert table[source] == [str(count) for count in [*months, len(dates)]]
    assert f"{len(lines)} lines" in text_of("data/sample/README.md")
