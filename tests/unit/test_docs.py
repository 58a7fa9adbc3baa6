"""The documentation is current and says nothing that is not there: what the code declares is compared with docs/."""

import re
import shlex
import tomllib
import typing
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
import typer
import yaml

from generate_reference import PAGES
from reference.figures import FIGURES, MARKED, figures
from reference.tables import as_yaml
from support.command_lines import parsed
from wdw_bench.systems import ORDER
from wdw_build.api import SPLITS
from wdw_build.core.section import Section
from wdw_build.pipeline.config.file import added_rules, paper_values
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.registry import system_entry
from wdw_build.pipeline.stage_order import BY_NAME
from wdw_build.text.dates import parse_date
from wdw_build.verify import PROMISES
from wdw_study.judging.draw import BEFORE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


# ---- reading Markdown ------------------------------------------------------------------------------------------------


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """The cells of every table row, heads and rulers left out."""
    found = []
    for line, after in pairwise([*text.splitlines(), ""]):
        if line.startswith("|") and not re.match(r"^[|\s:-]+$", line) and not re.match(r"^[|\s:-]+$", after or "x"):
            found.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return found


def fenced(text: str, language: str | None = None) -> list[str]:
    """The fenced blocks, of one language or of any."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [body for kind, body in blocks if language is None or kind == language]


def documents() -> list[Path]:
    """Every .md of the project; outputs, environments and fetched corpora are not part of it."""
    left_out = re.compile(r"(^|/)(\.[^/]*|out|build|external|node_modules)(/|$)")
    found = [path for path in ROOT.rglob("*.md") if not left_out.search(str(path.relative_to(ROOT)))]
    assert ROOT / "README.md" in found
    return sorted(found)


# ---- generated pages -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_current(name):
    assert text_of(f"docs/reference/{name}") == PAGES[name](), "run: python scripts/generate_reference.py"


def test_the_help_of_options_has_its_defaults_filled_in():
    page = text_of("docs/reference/cli.md")
    assert "(default: questions)" in page
    assert "%(" not in page


def test_the_example_of_verify_shows_the_promises_of_the_code():
    shown = re.findall(r"^ok +([\w-]+) +\d+  (.+)$", text_of("docs/howto/verify-a-dataset.md"), re.M)
    assert shown
    assert [(name, PROMISES[name]) for name, _ in shown] == shown


def default_of(system: str, cells: list[str]) -> str | None:
    """The default that the cells of a key give for a system: `1` (this-system), else the value without a name."""
    parts = [re.fullmatch(r"(`[^`]*`)(?: \((.*)\))?", part) for cell in cells for part in cell.split("; ")]
    found = {name: part[1] for part in parts if part for name in (part[2] or "").split(", ")}
    return found.get(system, found.get(""))


def default_value(field: msgspec.structs.FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def test_the_page_of_systems_has_every_setting_of_a_system_under_a_heading_that_names_it():
    sections = re.split(r"^## ", text_of("docs/reference/systems.md"), flags=re.M)[1:]
    shown = {name: rows(section) for section in sections for name in section.splitlines()[0].split(", ")}
    for entry in map(system_entry, ORDER):
        for field in msgspec.structs.fields(entry.settings):
            cells = [row[2] for row in shown[entry.name] if row[0] == f"`{field.encode_name}`"]
            assert default_of(entry.name, cells) == as_yaml(default_value(field)), f"{entry.name}: {field.name}"


def test_every_stage_is_explained():
    assert re.findall(r"^## (.+)$", text_of("docs/explanation/stages.md"), re.M) == list(BY_NAME)


def test_every_environment_variable_is_documented():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    read = set(re.findall(r'"(WDW_CONFIG|[A-Z]+(?:_[A-Z]+)*_(?:HOME|BIN|DIR|COLOR))"', sources))
    documented = text_of("docs/reference/store.md").split("## Environment variables")[1]
    assert read == {row[0].strip("`") for row in rows(documented)}


# ---- figures of named corpora -----------------------------------------------------------------------------------------

CORPORA = re.compile(r"BuzzFeed|Reuters|[Tt]imeline17|lk2024|Sri Lanka|ECB\+|\bsample\b|invented articles")
# "111 strict problems", "152 such problems", "strict problems: 111".
YIELD = re.compile(r"\d (?:such|strict)\b|strict problems:? \d")


def unmarked_figures(text: str) -> Iterator[str]:
    """The sentences that state how many problems a named corpus gave, but not from the file."""
    prose = MARKED.sub("", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    for sentence in re.split(r"(?<=[.:;])\s|\n\n|\n(?=[|#-])", prose):
        if CORPORA.search(sentence) and YIELD.search(" ".join(sentence.split())):
            yield " ".join(sentence.split())


def unmarked_cells(text: str) -> Iterator[str]:
    """The whole numbers in rows and columns of strict problems that are not from the file."""
    head: list[str] = []
    for line, after in pairwise([*text.splitlines(), ""]):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        head = cells if re.match(r"^\|[\s:-]+\|", after) else head if cells else []
        for name, cell in zip(head, cells, strict=False):
            is_yield = "strict problems" in name or cells[0].startswith(("strict problems", "problems usable"))
            if is_yield and re.fullmatch(r"[\d,]+", cell):
                yield f"{cells[0]}, {name}: {cell}"


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda path: path.name)
def test_a_page_takes_the_yield_of_a_named_corpus_from_the_file_of_figures(path):
    text = path.read_text(encoding="utf-8")
    assert [*unmarked_figures(text), *unmarked_cells(text)] == [], "see docs/figures.toml"


def test_every_figure_of_the_file_is_on_a_page():
    pages = "".join(text_of(f"docs/reference/{name}") for name in figures())
    assert set(MARKED.findall(pages)) == {(corpus, figure) for corpus, values in FIGURES.items() for figure in values}


# ---- configuration keys ----------------------------------------------------------------------------------------------


def keys(kind: type[Section] = Config, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every key with its default."""
    hints = typing.get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        hint = hints[field.encode_name]
        if isinstance(hint, type) and issubclass(hint, Section):
            yield from keys(hint, f"{prefix}{field.encode_name}.")
        else:
            yield prefix + field.encode_name, default_value(field)


KEYS = dict(keys())


def test_no_key_is_documented_that_does_not_exist():
    known = KEYS.keys()
    owners = {key.split(".")[0] for key in known if "." in key}
    parents = {key.rpartition(".")[0] for key in known}
    # The changelog may name keys as they were called before.
    for path in (path for path in documents() if path.name != "CHANGELOG.md"):
        for key in re.findall(r"`([a-z_]+\.[a-z_][\w.]*)(?:[:=][^`]*)?`", path.read_text(encoding="utf-8")):
            if key.split(".")[0] not in owners or key.endswith((".py", ".md", ".json", ".jsonl", ".yaml", ".svg")):
                continue
            assert key in known | parents or key.startswith("corpus.options."), f"{path.name}: no key {key}"


def leaves(values: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """The dotted names in a block of YAML, down to keys of the configuration."""
    for name, value in values.items():
        dotted = f"{prefix}{name}"
        yield from leaves(value, f"{dotted}.") if isinstance(value, dict) and dotted not in KEYS else [dotted]


def test_the_yaml_in_the_docs_has_known_keys_only():
    for path in documents():
        for block in fenced(path.read_text(encoding="utf-8"), "yaml"):
            for name in leaves(yaml.safe_load(block) or {}):
                assert name in KEYS, f"{path.name}: {name}"


# ---- the paper, step by step -----------------------------------------------------------------------------------------

ALGORITHM = "docs/reference/algorithm.md"
# The page of the configuration, which is generated, describes the added rules.
FILE_KEYS = KEYS.keys() - added_rules().keys()


def test_the_reading_of_the_paper_names_every_key_that_changes_what_comes_out():
    readings = ("questions", "retrieve", "choices", "dedup", "baselines", "adversary", "suppress", "split")
    text = text_of(ALGORITHM)
    assert not [key for key in FILE_KEYS if key.split(".")[0] in readings and f"`{key}`" not in text]


def test_the_reading_of_the_paper_gives_the_values_of_both_presets():
    preset = paper_values()
    paper = {f"{section}.{key}": as_yaml(value) for section, own in preset.items() for key, value in own.items()}
    paper = {key: value for key, value in paper.items() if key in FILE_KEYS}
    shown = set()
    for row in rows(text_of(ALGORITHM)):
        # `a.key` is `true` and, in the paper, `false`; `a.key` = `1` has the same value in both; `a.key` = `1` / `0` has two.
        for key, value, other in re.findall(r"`([a-z_]+\.[a-z_]+)`(?: = (`[^`]*`)(?: / (`[^`]*`))?)?", row[-1]):
            careful, in_paper = (value, other or value) if value else ("`true`", "`false`")
            assert (as_yaml(KEYS[key]), paper.get(key, as_yaml(KEYS[key]))) == (careful, in_paper), f"{key} in {row[0]}"
            assert not other or key in paper, f"{key} has one value"
            shown.add(key)
    assert paper.keys() <= shown


# ---- the command line ------------------------------------------------------------------------------------------------


def test_a_sheet_can_be_drawn_from_every_split():
    with pytest.raises(typer.TyperException) as refused:
        parsed(["annotate", "-c", "x", "--from", "nowhere"])
    assert all(f"'{source}'" in refused.value.format_message() for source in (*SPLITS, BEFORE))


def command_lines(text: str) -> Iterator[str]:
    for block in fenced(text):
        joined = block.replace("\\\n", " ")
        yield from re.findall(r"^\s*(?:\$ )?((?:[\w./]*/)?wdw-build [^\n]*)$", joined, re.MULTILINE)


def runnable(line: str) -> list[str]:
    """A command line with its placeholders in capitals filled in, without what the shell does with the output."""
    words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)[1:]
    known = {"STAGE": "ingest", "N": "3", "REASON": "no-date", "KEY=VALUE": "seed=1"}
    return [known.get(word, "x" if re.fullmatch(r"[A-Z]+", word) else word) for word in words]


def understood(words: list[str]) -> dict[str, Any]:
    """The parameters of a command line by name; empty for ``--help``."""
    try:
        return parsed([*words[1:], "--help"] if words[:1] == ["help"] else words)
    except typer.Exit:
        return {}


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (path.name, line)
        for path in documents()
        if path.name != "cli.md"  # its usage lines are generated
        for line in command_lines(path.read_text(encoding="utf-8"))
    ],
)
def test_every_command_line_in_the_docs_is_understood(place, line):
    try:
        parameters = understood(runnable(line))
    except typer.TyperException as error:
        pytest.fail(f"{place}: {line}: {error.format_message()}")
    assert parameters.get("stage") in {None, "", *BY_NAME}
    for override in parameters.get("overrides", ()):
        key = override.partition("=")[0]
        assert key in KEYS or key.startswith("corpus.options."), f"{place}: {line}"


def test_there_are_command_lines_to_check():
    assert len([line for path in documents() for line in command_lines(path.read_text(encoding="utf-8"))]) >= 50


# ---- links -----------------------------------------------------------------------------------------------------------


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub and the site make them."""
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
        # The site holds docs/ alone.
        assert DOCS not in path.parents or DOCS in target.parents, f"{path.name}: {link} leads out of docs/"


def pages_of(entry: Any) -> Iterator[str]:
    """The pages of a part of the site's navigation."""
    if isinstance(entry, str):
        yield entry
    for below in entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ():
        yield from pages_of(below)


def test_every_page_is_in_the_navigation_of_the_site_once():
    pages = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
    assert sorted(pages_of(yaml.safe_load(text_of("mkdocs.yml"))["nav"])) == pages


def test_every_page_that_the_code_names_exists():
    places = [ROOT / "Makefile", ROOT / "NOTICE", ROOT / "pyproject.toml"]
    places += [path for folder in ("src", "scripts", "tests", "configs") for path in (ROOT / folder).rglob("*.*")]
    for path in places:
        if path.is_file() and path.suffix in {".py", ".yaml", ".toml", ""}:
            for page in re.findall(r"\bdocs/[\w/-]+\.md", path.read_text(encoding="utf-8")):
                assert (ROOT / page).exists(), f"{path.relative_to(ROOT)}: {page}"


# ---- architecture ----------------------------------------------------------------------------------------------------


def test_the_layers_on_the_page_of_the_architecture_are_those_of_the_import_contracts():
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    page = text_of("docs/explanation/architecture.md").partition("More rules:")[0]
    packages, parts = (rows(part) for part in page.split("## Layers")[1].split("| part of `core`"))
    shown = {
        "layers": [re.findall(r"(?:^|· )`(\w+)`", row[1]) for row in packages],
        "layers of core": [re.findall(r"`(\w+)`", row[0]) or re.findall(r"`(\w+)`", row[1]) for row in parts],
    }
    for contract in contracts:
        if contract["type"] == "layers":
            declared = [re.split(r" [:|] ", layer.replace("wdw_build.", "")) for layer in contract["layers"]]
            assert [sorted(layer) for layer in declared] == [sorted(layer) for layer in shown[contract["name"]]]


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
