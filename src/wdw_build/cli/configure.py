"""``init`` writes a configuration for a corpus; ``config`` shows, checks and describes one.

``init`` and ``config check`` show articles of the corpus as ``ingest`` understands them.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from typer import Argument, Option

from wdw_build.adapters.corpora.reading.files import is_matched, split_glob
from wdw_build.command import ConfigFile, Json, Overrides, Quiet
from wdw_build.command.opened import open_pipeline, print_json, print_result, progress_of
from wdw_build.core.progress import Progress, printable
from wdw_build.corpus_look.first_look import SAMPLED, FirstLook, sample_look
from wdw_build.corpus_look.guess import guess
from wdw_build.corpus_look.sample import sample_corpus
from wdw_build.errors import UsageError
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.config.file import as_keys, as_yaml, config_schema, decode_config, inline_yaml, lies_in_corpus
from wdw_build.pipeline.registry import make_reader
from wdw_build.ports import EXPORTERS, READER, SENTENCE_SPLITTER, SentenceSplitter
from wdw_build.reading import ADVERSARIES
from wdw_build.records import Article, RawArticle
from wdw_build.text.dates import numeric_dates

_SAMPLE = Path(__file__).parents[1] / "sample"
# Articles that are shown.
_SHOWN = 3


def init(
    corpus: Annotated[
        str, Argument(metavar="CORPUS", show_default=False, help="file, folder or glob of articles")
    ] = "",
    sample: Annotated[bool, Option("--sample", help="write the configuration of the bundled sample corpus")] = False,
    out: Annotated[
        Path | None,
        Option("-o", "--out", metavar="FILE", help="file to write (default: named after the corpus, in this folder)"),
    ] = None,
    reader: Annotated[
        str,
        Option("--reader", metavar="NAME", help="corpus reader, also of another package (default: found by trials)"),
    ] = "",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """``init``."""
    if sample == bool(corpus):
        raise UsageError("give a corpus, or --sample", hint="wdw-build init articles.csv")
    if sample:
        _init_sample(out or Path("sample.yaml"), as_json=as_json)
    else:
        _init_corpus(Path(corpus), reader, out, progress_of(quiet=quiet), as_json=as_json)


def _init_sample(output: Path, *, as_json: bool) -> None:
    """Write the configuration of the embedded corpus, which is part of the package."""
    _refuse_existing(output)
    text = (_SAMPLE / "sample.yaml").read_text(encoding="utf-8")
    corpus = _SAMPLE / "articles.jsonl"
    text = text.replace("path: ../data/sample/articles.jsonl", f"path: {inline_yaml(str(corpus))}")
    output.write_text(text.replace("output_dir: ../out/sample", "output_dir: out/sample"), encoding="utf-8")
    print_result({"configuration": str(output)}, _next_steps(output), as_json=as_json)


def _init_corpus(path: Path, reader_name: str, out: Path | None, progress: Progress, *, as_json: bool) -> None:
    place = Path(os.path.abspath(path))  # noqa: PTH100 (resolve follows links; the name is that of the link)
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", place.name.partition(".")[0]).strip("-_") or "my-corpus"
    folder = _folder_outside(place, name)
    output = out or folder / f"{name}.yaml"
    _refuse_existing(output)
    guessed = guess(path, reader_name)
    path = guessed.path
    if is_matched(output.absolute(), path.absolute()):
        raise UsageError(f"{output} would be read as an article", hint="-o FILE: a file outside the corpus")
    corpus = {"reader": guessed.reader, "path": str(path.absolute())}
    raw: dict[str, Any] = {"run": name, "output_dir": os.path.relpath(folder / "out" / name, output.parent)}
    raw["corpus"] = corpus | ({"options": guessed.options} if guessed.options else {})
    raw |= {"ingest": guessed.ingest} if guessed.ingest else {}
    config = decode_config(raw, output, output.absolute().parent)
    reader = make_reader(guessed.reader, Path(config.corpus.path), guessed.options)
    progress.say("reading a sample of the corpus …")
    sample = sample_corpus(reader, SAMPLED)
    look = sample_look(config, reader, sample)
    look = replace(look, notes=[*guessed.notes, *look.notes])
    articles = articles_shown(look, of_largest_sources(look.pairs, _SHOWN), Backends(config).get(SENTENCE_SPLITTER))
    output.write_text(_yaml(raw, _path_from(output, path), look), encoding="utf-8")
    unclear = look.unclear_dates
    result = {
        "configuration": str(output),
        "reader": guessed.reader,
        "options": guessed.options,
        "articles_shown": articles,
        "notes": look.notes,
        "unclear_dates": unclear.message if unclear else "",
    }
    named = guessed.options.get("fields", {}).items()
    fields = ", ".join(f"{key}: {printable(str(field).strip('{}').replace(chr(39), ''))}" for key, field in named)
    lines = [
        f"{printable(str(path))}: reader {guessed.reader}{f'; {fields}' if fields else ''}",
        look_text(look, articles, sample.in_words),
        *([f"dates: {printable(unclear.message)}; choose ingest.date_formats in {output}"] if unclear else []),
        _next_steps(output),
    ]
    print_result(result, "\n\n".join(lines), as_json=as_json)


def _refuse_existing(output: Path) -> None:
    if not output.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {output.parent}", hint="create the folder, or name a file in another one")
    if output.exists():
        raise UsageError(f"{output} already exists", hint="name another file with -o, or delete this one")


def _folder_outside(corpus: Path, name: str) -> Path:
    """The folder to write into: the working folder, or the one that contains the corpus if the corpus would have the files."""
    here = Path.cwd()
    if lies_in_corpus(here / "out" / name, corpus) or is_matched(here / f"{name}.yaml", corpus):
        return Path(os.path.relpath(split_glob(corpus)[0].parent))
    return Path()


def _path_from(output: Path, corpus: Path) -> str:
    """The path of the corpus in the configuration: relative to its folder if the corpus lies below it."""
    folder, absolute = (Path(os.path.normpath(path.absolute())) for path in (output.parent, corpus))
    return str(absolute.relative_to(folder)) if absolute.is_relative_to(folder) else str(absolute)


# ---- the configuration file -------------------------------------------------------------------------------------------

_COMMENTS = {
    "paragraph_separator": "what separates paragraphs in a text",
    "strip_html": "the texts are HTML",
    "items": "the field with the list of articles",
    "escape": "what precedes a quotation mark within a field",
    "quote": "fields are not quoted",
    "kinds": "the field kind has other values than story: keep all kinds",
    "date_formats": "the form of the dates",
}


def _yaml(raw: dict[str, Any], path: str, look: FirstLook) -> str:
    """The configuration with comments."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=False,  # noqa: S701 (the filter writes values as YAML)
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["inline"] = inline_yaml
    values = {"options": raw["corpus"].get("options"), "ingest": {}, "is_order_open": look.unclear_dates is not None}
    return templates.get_template("config.yaml.j2").render(values | raw, path=path, comments=_COMMENTS)


# ---- what is printed --------------------------------------------------------------------------------------------------


def _next_steps(output: Path) -> str:
    return f"written: {output}\nnext: wdw-build all --dry-run -c {output}  estimates time and problems"


# ---- config ----------------------------------------------------------------------------------------------------------


def schema() -> None:
    """``config schema``."""
    print_json(config_schema())


def show(config: ConfigFile, overrides: Overrides, as_json: Json = False) -> None:
    """``config show``."""
    settings = open_pipeline(config, overrides, quiet=True).config
    if as_json:
        print_json(as_keys(settings))
    else:
        # A file format: UTF-8, whatever the encoding of the terminal.
        sys.stdout.buffer.write(as_yaml(settings).encode())


def check(config: ConfigFile, overrides: Overrides, as_json: Json = False) -> None:
    """``config check``: check the settings, then read a sample of the corpus. Raises what ``all`` would raise for it."""
    pipeline = open_pipeline(config, overrides, quiet=True)
    pipeline.ports.get(EXPORTERS)
    pipeline.ports.get(ADVERSARIES)
    reader = pipeline.ports.get(READER)
    sample = sample_corpus(reader, SAMPLED)
    look = sample_look(pipeline.config, reader, sample)
    if look.unclear_dates is not None:
        raise look.unclear_dates
    articles = articles_shown(look, look.pairs[:1], pipeline.ports.get(SENTENCE_SPLITTER))
    result = {
        "ok": True,
        "records": len(look.entries),
        "articles": len(look.pairs),
        "rejected": look.reasons,
        "first": articles[0],
        "notes": look.notes,
    }
    print_result(result, f"{look_text(look, articles, sample.in_words)}\n{config}: ok", as_json=as_json)


# ---- articles as ingest understands them -----------------------------------------------------------------------------

_LONGEST = 160


Pair = tuple[RawArticle, Article]


def articles_shown(look: FirstLook, pairs: Sequence[Pair], splitter: SentenceSplitter) -> list[dict[str, Any]]:
    """For each article: id, date as understood and as written, source, title, first sentence, number of paragraphs."""
    return [_shown(raw, article, splitter, look.is_order_open) for raw, article in pairs]


def of_largest_sources(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """Articles of the ``count`` largest sources in turn; several articles of one source are far apart in the corpus."""
    by_source: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_source.setdefault(pair[1].source, []).append(pair)
    largest = sorted(by_source.values(), key=len, reverse=True)[:count]
    rounds = -(-count // max(1, len(largest)))
    spread = [of_source[:: max(1, len(of_source) // rounds)] for of_source in largest]
    return [pair for turn in itertools.zip_longest(*spread) for pair in turn if pair][:count]


def _shown(raw: RawArticle, article: Article, splitter: SentenceSplitter, is_order_open: bool) -> dict[str, Any]:
    sentences = splitter.sentences(article.paragraphs[0])
    days = (is_order_open and numeric_dates(raw.date)) or (article.date,)
    return {
        "id": article.id,
        "date": " or ".join(dict.fromkeys(f"{day:%-d %B %Y}" for day in days if day)),
        "written": raw.date,
        "source": article.source,
        "title": article.title,
        "first_sentence": sentences[0] if sentences else "",
        "paragraphs": len(article.paragraphs),
    }


def look_text(look: FirstLook, articles: list[dict[str, Any]], records: str) -> str:
    """The articles that are shown, and the notes; ``records`` says which records of the corpus were read."""
    lines = [f"{len(look.pairs):,} of {records} are articles; as ingest understands them:"]
    for article in articles:
        date = f"{article['date']} (written {printable(article['written'])!r})"
        rows = {
            "id": article["id"],
            "date": date,
            "source": article["source"] or "-",
            "title": article["title"] or "-",
            "first sentence": article["first_sentence"],
            "paragraphs": str(article["paragraphs"]),
        }
        lines += ["", *(f"  {name:<15} {_short(text)}" for name, text in rows.items())]
    return "\n".join([*lines, "", *(f"note: {printable(note)}" for note in look.notes)]).rstrip()


def _short(text: str) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
