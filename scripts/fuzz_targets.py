"""The targets of ``fuzz.py``: what each one gives to the program, and what must hold for any input.

An input is a line that names it (a file name, a type, a setting) and the bytes after that line. A check returns ``value``, or
the message of an error that a user can act on. Every other exception is a fault, and so is a broken promise (``Broken``).
"""

from __future__ import annotations

import bz2
import contextlib
import dataclasses
import functools
import gzip
import importlib
import io
import itertools
import json
import lzma
import random
import re
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from wdw_build import registry
from wdw_build.core.config.settings import ChoicesConfig, QuestionsConfig
from wdw_build.core.config_file import as_yaml, load_config
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import Manifest, read_manifest
from wdw_build.errors import WdwError
from wdw_build.pipeline import BY_NAME
from wdw_build.records import Mention, RawArticle, Rejection, Tokens, Unreadable

ROOT = Path(__file__).resolve().parents[1]
Input = tuple[str, bytes]


class Broken(Exception):
    """A promise that does not hold for an input."""


def require(holds: object, promise: str) -> None:
    """Raise ``Broken`` unless the promise holds."""
    if not holds:
        raise Broken(promise)


def support(name: str) -> Any:
    """A module of tests/support."""
    with contextlib.suppress(ValueError):
        sys.path.remove(str(ROOT / "tests"))
    sys.path.append(str(ROOT / "tests"))
    return importlib.import_module(f"support.{name}")


# ---- mutations -------------------------------------------------------------------------------------------------------

# fmt: off
TOKENS = [
    "\x00", "\ufeff", "\u202e", "\x1b[31m", "\r\n", "\n", "\t", "  ", '"', '""', "'", ",", ";", "-", ".", "(", ")",
    "[", "]", "{", "}", "<", ">", "&", "&amp;", "&#0;", "&#x110000;", "&#55296;", "<!--", "-->", "<![CDATA[", "]]>",
    "<?xml version='1.0' encoding='utf-16'?>", '<!DOCTYPE a [<!ENTITY b "c">]>', "<script>alert(1)</script>",
    '" onload="x', "</", "/>", "null", "true", "-1", "0", "1e999", "99999999999999999999", "NaN", "\\ud800", "\\u0000",
    "é", "Łęcki", "ﬁ", "İ", "ß", "\xa0", "\u2028", "2014-02-30", "0000-00-00", "*a", "&a", "!!python/name:os", "<<: ",
    "XXX", "{% raw %}", "{{ 7 }}", "Dr. ", "Jr.", "O'", "’s", "de la ", "van ", "-LRB-", "(NP", "))", "()", " (NNP A)",
    "",
    *("[" * 3000, "(" * 3000, "<a>" * 300, "a" * 5000, " " * 5000, "A. " * 800, '{"a":' * 2000),
]
# fmt: on
RAW = [token.encode() for token in TOKENS] + [
    b"\xff",
    b"\xe9",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf5\x80\x80\x80",
    b"\x00" * 600,
]


def mutated(content: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    """The bytes after one to four changes; in one of sixteen cases, after none."""
    changed = bytearray(content)
    for _ in range(0 if dice.random() < 1 / 16 else dice.choice((1, 1, 1, 2, 2, 3, 4))):
        start = dice.randrange(len(changed) + 1)
        end = min(len(changed), start + dice.choice((1, 1, 2, 4, 8, 16, 64, 256)))
        kind = dice.randrange(8)
        if kind == 0 and start < len(changed):
            changed[start] ^= 1 << dice.randrange(8)
        elif kind == 1:
            del changed[start:end]
        elif kind == 2:
            changed[start:start] = changed[start:end] * dice.choice((1, 2, 20))
        elif kind == 3:
            del changed[start:]
        elif kind == 4:
            other = dice.choice(others)
            cut = dice.randrange(len(other) + 1)
            changed[start:end] = other[cut : cut + dice.choice((8, 64, 1024))]
        elif kind == 5 and (numbers := list(re.finditer(rb"\d+", changed))):
            number = dice.choice(numbers)
            changed[number.start() : number.end()] = dice.choice((b"0", b"-1", b"4294967296", b"9" * 30, b"1e9"))
        else:
            changed[start : dice.choice((start, end))] = dice.choice(RAW)
    return bytes(changed)


# ---- corpus readers --------------------------------------------------------------------------------------------------

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda raw: gzip.compress(raw, 1),
    ".bz2": lambda raw: bz2.compress(raw, 1),
    ".xz": lambda raw: lzma.compress(raw, preset=0),
}
UNPACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}
FIELDS = {"date": "meta.published", "source": "meta.agency", "text": "body.parts.text"}
WORDS = "Amber Birch Cedar Delta Ember Frost Grove Heron".split()


@functools.cache
def articles() -> list[dict[str, Any]]:
    """Articles in the form of ``support.corpus_forms``; each has a word in its text that no other text has."""
    return [
        {
            "id": f"HP_ENG_201403{day:02}.0001",
            "date": f"2014-03-{day:02}",
            "source": "Harbour Press",
            "title": f'Ferry & "Pearl" {day}',
            "paragraphs": [f"Capt. José Banda met Zq{word} on Tuesday.", "“It sank,” O'Brien said; 61 people drowned."],
        }
        for day, word in enumerate(WORDS, 1)
    ]


@dataclasses.dataclass(frozen=True)
class Reader:
    """A corpus reader. ``write`` writes articles to a file; ``container``: damage in the file may hit any record."""

    reader: str
    file: str
    write: Callable[..., None]
    head: bytes = b""
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    container: bool = False

    @functools.cached_property
    def records(self) -> list[bytes]:
        """The bytes of each article."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, self.file)
            found = []
            for one in articles():
                self.write([one], path)
                found.append(path.read_bytes().removeprefix(self.head))
            return found

    @functools.cached_property
    def template(self) -> Path:
        """A file with all articles; of a folder, its first file of records."""
        path = Path(tempfile.mkdtemp(prefix="wdw-fuzz-"), self.file)
        self.write(articles(), path)
        return path if path.is_file() else min(path.rglob("*.arrow"))

    @functools.cached_property
    def whole(self) -> bytes:
        """The bytes of that file."""
        return self.template.read_bytes()

    def make(self, dice: random.Random) -> Input:
        """A file of articles, changed before or after it is packed."""
        if self.container:
            return self.file, mutated(self.whole, dice, [self.whole])
        raw = self.head + b"".join(dice.sample(self.records, dice.randint(1, 6)))
        packing = dice.choice(("", "", "", *PACKERS))
        if not packing or dice.random() < 0.5:
            return self.file + packing, PACKERS[packing](mutated(raw, dice, self.records))
        packed = PACKERS[packing](raw)
        return self.file + packing, mutated(packed, dice, [packed])

    def check(self, name: str, content: bytes) -> str:
        """Read the file as a whole and, one time in eight, in blocks. No record may be lost without a report."""
        with self.corpus(name, content) as path:
            reader = registry.make_reader(self.reader, path, self.options)
            entries = list(reader.read())
            if zlib.crc32(content) % 8 == 0:
                reader.block_bytes = 300
                parts = [entry for block in reader.blocks() for entry in reader.read(block)]
                require(parts == entries, "the blocks give the entries of the whole file")
        errors = [entry.error for entry in entries if isinstance(entry, Unreadable)]
        texts = [
            "\n".join((one.place, one.id, one.date, one.source, one.kind, one.title, one.dateline, *one.paragraphs))
            for one in entries
            if isinstance(one, RawArticle)
        ]
        "".join(texts + errors).encode()
        if not errors:
            lost = [word for word in self.intact(name, content) if not any(word in text for text in texts)]
            require(not lost, f"an article that was not changed is read or reported: {lost}")
            rows = self.rows(name, content)
            require(rows in (None, len(texts)), f"{len(texts)} of {rows} rows are read or reported")
        return errors[0] if errors else "value"

    @contextlib.contextmanager
    def corpus(self, name: str, content: bytes) -> Iterator[Path]:
        """The file as a corpus, in a temporary folder."""
        with tempfile.TemporaryDirectory(prefix="wdw-fuzz-") as folder:
            path = Path(folder, name)
            if self.reader == "hf":
                shutil.copytree(self.template.parent, path)
                (path / self.template.name).write_bytes(content)
            else:
                path.write_bytes(content)
            yield path if self.reader != "several" else Path(folder)

    def intact(self, name: str, content: bytes) -> list[str]:
        """The words of the articles whose bytes are still in the file."""
        if self.reader in ("parquet", "hf"):
            return []
        try:
            raw = unpacked(name, content)
        except Exception:
            raise Broken("a file that cannot be unpacked is reported") from None
        # What is in the line of the column names of a CSV file is no row.
        before = b"\n" if self.head else b""
        return [f"Zq{word}" for word, record in zip(WORDS, self.records, strict=True) if before + record.strip() in raw]

    def rows(self, name: str, content: bytes) -> int | None:
        """How many rows the file has, where that can be counted without reading them."""
        if self.reader == "parquet":
            return int(importlib.import_module("pyarrow.parquet").read_metadata(io.BytesIO(content)).num_rows)
        if self.reader == "jsonl":
            return sum(bool(line.strip()) for line in unpacked(name, content).split(b"\n"))
        return None


def unpacked(name: str, content: bytes) -> bytes:
    """The bytes of the records in a file."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return b"\n".join(archive.read(info) for info in archive.infolist())
    packing = Path(name).suffix.replace(".tgz", ".gz")
    return UNPACKERS.get(packing, bytes)(content)


def readers() -> dict[str, Reader]:
    """A target for each reader, and for each form in which a corpus comes."""
    forms = support("corpus_forms")

    def plain(document: Callable[[dict[str, Any]], str], encoding: str) -> Callable[..., None]:
        return lambda found, path: path.write_bytes("".join(map(document, found)).encode(encoding, "xmlcharrefreplace"))

    def reuters_json(found: list[dict[str, Any]], path: Path) -> None:
        rows = [
            {"id": one["id"], "date": "26-FEB-1987", "title": one["title"], "body": one["paragraphs"][0]}
            for one in found
        ]
        path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")

    csv_fields = {"id": "url", "date": "published", "source": "agency", "title": "headline", "text": "body"}
    part = {"reader": "jsonl", "path": "a.jsonl*"}
    return {
        "jsonl": Reader("jsonl", "a.jsonl", forms.jsonl),
        "several": Reader("several", "a.jsonl", forms.jsonl, options={"parts": [part]}),
        "csv": Reader(
            "csv", "a.csv", forms.csv_table, b"url,published,agency,headline,body\r\n", {"fields": csv_fields}
        ),
        "gigaword": Reader("gigaword", "a.sgml", forms.gigaword),
        "trec": Reader("trec", "a.sgml", forms.trec),
        "reuters21578": Reader("reuters21578", "a.sgm", forms.reuters),
        "reuters-json": Reader("reuters21578", "a.json", reuters_json, container=True),
        "nitf": Reader("nitf", "a.xml", plain(forms.nitf_document, "utf-8")),
        "newsml": Reader("newsml", "a.xml", plain(forms.newsml_document, "latin-1")),
        "nitf-tar": Reader("nitf", "a.tgz", forms.nitf, container=True),
        "newsml-zip": Reader("newsml", "a.zip", forms.newsml, container=True),
        "warc": Reader("warc", "a.warc.gz", forms.warc, container=True),
        "parquet": Reader("parquet", "a.parquet", forms.parquet, options={"fields": FIELDS}, container=True),
        "hf": Reader("hf", "a", forms.hf, options={"fields": FIELDS}, container=True),
    }


# ---- configuration, records, trees, names, pages ---------------------------------------------------------------------


class Lines:
    """A target whose inputs are changed seeds: (name, text) each."""

    def __init__(self, seeds: Iterable[tuple[str, str]], check: Callable[[str, bytes], str]) -> None:
        self.seeds = [(name, text.encode()) for name, text in seeds]
        self.check = check

    def make(self, dice: random.Random) -> Input:
        """A seed with changes, or as it is."""
        name, seed = dice.choice(self.seeds)
        return name, mutated(seed, dice, [dice.choice(self.seeds)[1]])


CONFIGS = [
    "run: a\noutput_dir: out\ncorpus: {reader: jsonl, path: a.jsonl, options: {fields: {title: headline}}}\n",
    "preset: paper\nrun: a-1\nseed: 7\noutput_dir: ../out\ncorpus:\n  reader: csv\n"
    "  path: '*.csv'\n  options: {delimiter: ';', columns: [id]}\n"
    "ingest: {date_formats: ['%d/%m/%Y'], kinds: [story], max_bad_input: 0.01, time_zone: Europe/Paris}\n",
    "run: b\noutput_dir: o\ncorpus: {reader: several, path: ., options: {parts: [{reader: warc, path: a.warc}]}}\n"
    "retrieve: {windows: [1, 3], min_event_score: 0.2}\nsuppress: {strict: chance, relaxed: 0.3}\nsplit: {held_out: 10}\n",
    "run: c\noutput_dir: o\ncorpus: {reader: hf, path: d, options: {name: a/b, revision: main}}\nquestions: &q {min_tokens: 3}\n"
    "bench: {systems: [word-overlap], settings: {ga-reader: {model: m}}, predictions: {x: p.jsonl}}\n"
    "execution: {engine: dask, workers: 2, lm_memory: 64M, dask: {scheduler_file: s.json}}\nexport: {formats: [jsonl]}\n",
]
OVERRIDES = [
    "",
    "questions.min_tokens=8",
    "corpus.path=-",
    "a.b.c=[1, 2",
    "corpus.options.fields={id: x}",
    "run.a=1",
    "=1",
    "nlp.models=~x/y",
]


def check_config(override: str, content: bytes) -> str:
    """A configuration is decoded to one that is written and decoded again unchanged; its reader is made or refused."""
    with tempfile.TemporaryDirectory(prefix="wdw-fuzz-") as folder:
        path = Path(folder, "config.yaml")
        path.write_bytes(content)
        config = load_config(path, [override] if override else [])
        path.write_text(as_yaml(config), encoding="utf-8")
        require(load_config(path) == config, "a configuration is the same after it is written and read")
        if not {"name", "row_function"} & config.corpus.options.keys() and config.corpus.path != "-":
            with contextlib.suppress(FileNotFoundError):
                registry.make_reader(config.corpus.reader, Path(folder, "config.yaml"), config.corpus.options)
    return "value"


def golden(stage: str, file: str = "part-00000.jsonl") -> list[str]:
    """The lines of a file of the golden corpus."""
    lines = (ROOT / "tests" / "golden" / "expected" / stage / file).read_text(encoding="utf-8").splitlines()
    return sorted(lines, key=len)[:12]


def record_seeds() -> Iterator[tuple[str, str]]:
    """Records of every stage, rejections, and a manifest."""
    for stage in sorted(path.name for path in (ROOT / "tests" / "golden" / "expected").iterdir()):
        yield from ((stage, line) for line in golden(stage))
    yield from (("rejections", line) for line in golden("questions", "rejections.jsonl"))
    ingredients = {"stage": "a", "version": 1, "config": {"b": [1]}, "seed": 1, "inputs": {"c": "d"}, "backends": {}}
    part = {"name": "p", "records": 1, "bytes": 2, "sha256": "e", "seek_offsets": [0], "checksums": [1]}
    manifest = {
        "fingerprint": "f",
        "ingredients": ingredients,
        "read": 1,
        "written": 1,
        "rejected": 0,
        "reasons": {"g": 1},
    }
    yield (
        "manifest",
        json.dumps(manifest | {"parts": [part], "rejections_sha256": "h", "content_hash": "i", "devices": []}),
    )


def check_record(stage: str, content: bytes) -> str:
    """A line is refused, or decoded to a record that is written and decoded again unchanged."""
    if stage == "manifest":
        with tempfile.TemporaryDirectory(prefix="wdw-fuzz-") as folder:
            Path(folder, "manifest.json").write_bytes(content)
            manifest = read_manifest(Path(folder))
        require(manifest is None or isinstance(manifest, Manifest), "a manifest is decoded or missing")
        return "value" if manifest else "no manifest"
    kind = Rejection if stage == "rejections" else BY_NAME[stage].writes
    record: Any = jsonl.decode(content, kind, "fuzz")
    require(
        jsonl.decode(jsonl.encode(record), kind, "fuzz") == record, "a record is the same after it is written and read"
    )
    return "value"


def check_tree(repair: str, content: bytes) -> str:
    """A bracketed tree is refused with ``ValueError``, or every name in it is deleted as a whole or refused by a rule."""
    from wdw_build.text.blanking.select_blank import select_blank
    from wdw_build.text.blanking.trees import Sentence
    from wdw_build.text.sentences.refusals import lost_boundary, no_main_clause

    try:
        sentence = Sentence(content.decode("utf-8", "replace"), repair == "repair")
    except ValueError as error:
        return str(error)
    words = sentence.words[:60]
    ends = list(itertools.accumulate(len(word) + 1 for word in sentence.words))
    spans = tuple((end - len(word) - 1, end - 1) for word, end in zip(sentence.words, ends, strict=True))
    tokens = Tokens(text=" ".join(sentence.words), words=tuple(sentence.words), spans=spans)
    names = [(at, at + length) for at in range(len(words)) for length in (1, 2) if words[at][:1].isupper()]
    names = [name for name in names if name[1] <= len(words)][:8]
    no_main_clause(sentence)
    lost_boundary(sentence, [0.9] * len(sentence.words), names)
    for name in names:
        blank = select_blank(sentence, tokens, name, QuestionsConfig())
        require(0 <= blank.start <= name[0] < name[1] <= blank.end <= len(spans), "a blank holds the whole name")
    return "value"


_NAME = re.compile(r"[A-ZÀ-ÞŁİ][\w.'’-]*(?: (?:de |la |van )?[A-ZÀ-ÞŁ][\w.'’-]*){0,3}")


def check_names(source: str, content: bytes) -> str:
    """The persons of a text: each mention has its text, and belongs to one person."""
    from wdw_build.stages.choices.rules import entities
    from wdw_build.text.dates import parse_date
    from wdw_build.text.names import matching
    from wdw_build.text.names.evidence import NameCounter
    from wdw_build.text.names.mention_repair import repair_mentions
    from wdw_build.text.sentences import credits, datelines, openings, refusals, repair

    text = content.decode("utf-8", "replace")
    paragraphs = [part for part in text.split("\n\n") if part.strip()]
    for paragraph in paragraphs[:3]:
        head, rest = datelines.split_opening(paragraph, source)
        require(len(head) + len(rest) <= len(paragraph), "a dateline is cut from a paragraph")
        refusals.refusal(paragraph)
        parse_date(paragraph[:40], ("%d %B %Y", "iso"))
    credits.cut_credits(paragraphs)
    list(openings.marks(repair.repair(paragraphs)))
    found = [match for match in _NAME.finditer(text) if zlib.crc32(match[0].encode()) % 5][:40]
    mentions = [Mention(start=match.start(), end=match.end(), text=match[0]) for match in found]
    for one, other in itertools.pairwise([mention.text for mention in mentions]):
        require(
            matching.same_person(one, other) is matching.same_person(other, one), "two names are one person, or not"
        )
        matching.are_relatives(one, other)
        matching.is_misspelling(one, other)
        matching.normalise_name(one)
    words = [(match[0], match.span()) for match in re.finditer(r"[\w'’-]+|[^\w\s]", text[:600])]
    tagged = [(at, at + 1) for at, (word, _) in enumerate(words) if word[:1].isupper()]
    repair_mentions([word for word, _ in words], [span for _, span in words], tagged)
    persons = entities(text, mentions, ChoicesConfig(), NameCounter().result())
    owned = [mention for person in persons for mention in person.mentions]
    require(all(text[one.start : one.end].strip() for one in owned), "a mention is a part of the text")
    require(len({(one.start, one.end) for one in owned}) == len(owned), "a mention belongs to one person")
    return "value"


class Skeleton(HTMLParser):
    """The tags and the names of attributes of a page, and its text. Each element must be closed in order."""

    VOID = frozenset(("meta", "br", "link", "img", "input", "hr"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, ...]] = []
        self.text, self.open = "", list[str]()
        self.feed(page)
        require(not self.open, "each element of a page is closed")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag with its attributes."""
        self.tags.append((tag, *(name for name, _ in attrs)))
        self.open += [] if tag in self.VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        """Close the element that was opened last."""
        require(self.open and self.open.pop() == tag, "elements of a page are closed in order")

    def handle_data(self, data: str) -> None:
        """Note text."""
        self.text += data


def check_page(name: str, content: bytes) -> str:
    """A page that shows a text has the elements of a page that shows plain words, and the text as text."""
    from wdw_build.records import Rejection
    from wdw_build.views import html
    from wdw_build.views.blocks import Terminal
    from wdw_build.views.record_page import RecordPage, StageOutcome, page_text, sections
    from wdw_build.views.report.charts import element, picture

    environment = _environment(html.environment)

    def page(text: str) -> str:
        if name == "picture":
            return str(html._without_forbidden(picture(9, 9, text, [element("a", text, title=text)])))
        rejection = Rejection(id=text, reason="coordinated", detail=text)
        outcome = StageOutcome(stage="questions", outcome="rejected", meaning=text, rejections=(rejection,))
        traced = RecordPage(id=text, run=text, ended=text, stages=(outcome,))
        terminal = page_text(traced, Terminal(False, 80))
        require(all(sign.isprintable() or sign == "\n" for sign in terminal), "a terminal gets no control character")
        template = environment().get_template("record_page.html.j2")
        return str(template.render(page=traced, sections=sections(traced)))

    text = "q" + content.decode("utf-8", "surrogateescape") + "q"
    shown = page(text)
    shown.encode()
    skeleton = Skeleton(shown)
    require(skeleton.tags == Skeleton(page("plain")).tags, "a text on a page adds no element and no attribute")
    plain = html._without_forbidden(text)
    require("".join(plain.split()) in "".join(skeleton.text.split()), "a page shows the text")
    return "value"


@functools.cache
def _environment(environment: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its results kept: a page's template is compiled once."""
    return functools.cache(environment)


def targets() -> dict[str, Reader | Lines]:
    """All targets by name."""
    texts = [json.loads(line)["paragraphs"] for line in golden("ingest")]
    sample = (
        "LONDON, March 3 (Reuters) - Dr. Ann O'Brien Jr., 45, and Łukasz de la Cruz met Mr. King's son Bob.\n\n"
        "Reporting by Ann Ames"
    )
    trees = [json.loads(line)["tree"] for line in golden("questions")]
    return readers() | {
        "config": Lines(itertools.product(OVERRIDES, CONFIGS), check_config),
        "records": Lines(record_seeds(), check_record),
        "trees": Lines(itertools.product(("repair", "as parsed"), trees), check_tree),
        "names": Lines(
            ((source, text) for source in ("", "AP") for text in [sample, *map("\n\n".join, texts)]), check_names
        ),
        "pages": Lines(((name, text[0]) for name in ("picture", "trace") for text in texts), check_page),
    }


def outcome(target: Reader | Lines, case: Input) -> str:
    """What a case gives: ``value`` or an error with a hint. Raises ``Broken``, or what the program raised besides its errors."""
    try:
        return target.check(*case)
    except WdwError as error:
        require(error.hint, f"an error has a hint: {error.message}")
        return f"{type(error).__name__}: {error.message}"
