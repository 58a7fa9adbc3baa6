"""Shows whether results depend on the processor: computes them here and on emulated processors, and compares.

    python scripts/processors.py [--cpu NAME ...] [--sentences N] [--pairs N]

Reads the sample corpus. The emulator is ``qemu-x86_64`` (Debian: qemu-user). Compared are what the models say of the first
sentences and of pairs of articles, a fit of the shallow adversary, a selection, and the n-gram model's estimate: the rounded
results, which decide, and the raw ones. Exits with 1 if a rounded result differs. An emulated sentence takes seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from wdw_build.adapters.stanza.models import NlpConfig
from wdw_build.core.engine.execution import ExecutionConfig
from wdw_build.records import Tokens
from wdw_build.text.tokens import lm_tokens, words

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "articles.jsonl"
EMULATOR = "qemu-x86_64"
# Without AVX, with AVX2, and everything that the emulator can do.
CPUS = ("Nehalem", "Haswell", "max")
# Libraries restricted to older instructions on this processor: the variables, by a name for the table.
LIMITED = {
    "here, AVX2": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"},
    "here, SSE4": {"ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41", "MKL_CBWR": "COMPATIBLE"},
}
_QUESTION_DAYS, _PROBLEMS, _ARTICLES = 3, 200, 150


class Inputs(msgspec.Struct):
    """What every processor reads: tokenised first sentences, and pairs of a question's article and a candidate."""

    sentences: list[Tokens]
    pairs: list[tuple[int, int]]
    """Numbers of articles."""
    articles: list[tuple[str, int, str, list[str]]]
    """Id, day, title and sentences."""


def _articles() -> Iterator[tuple[str, int, str, list[str]]]:
    """The readable articles of the sample, with their paragraphs split into sentences."""
    from wdw_build.adapters.corpora.text_rows import JsonlReader
    from wdw_build.adapters.punkt import PunktSplitter
    from wdw_build.records import RawArticle
    from wdw_build.text.dates import USUAL_FORMATS, day_number, parse_date

    split = PunktSplitter().sentences
    for entry in JsonlReader(SAMPLE, {"fields": {"title": "headline"}}).read():
        if isinstance(entry, RawArticle) and entry.paragraphs and (day := parse_date(entry.date, USUAL_FORMATS)):
            yield entry.id, day_number(day), entry.title, split("\n\n".join(entry.paragraphs))


def _annotator() -> Any:
    from wdw_build.adapters.stanza.annotator import StanzaAnnotator
    from wdw_build.adapters.stanza.models import find_models

    return StanzaAnnotator(find_models(NlpConfig().models), NlpConfig(), ExecutionConfig())


def inputs(sentences: int, pairs: int) -> Inputs:
    """The first sentences of the sample, and pairs of articles of the same days, each at most so many."""
    articles = list(_articles())
    near = [
        (one, other)
        for one, (_, day, *_) in enumerate(articles)
        for other, (_, later, *_) in enumerate(articles)
        if one != other and abs(day - later) <= _QUESTION_DAYS
    ]
    # A spread over the corpus that is the same in every call.
    near.sort(key=lambda pair: hashlib.sha256(repr(pair).encode()).digest())
    leads = [text[0] for *_, text in articles[:sentences]]
    return Inputs([one for one in _annotator().first_sentences(leads) if one], near[:pairs], articles)


# ---- on one processor ------------------------------------------------------------------------------------------------


class Results(msgspec.Struct):
    """Results by name: the rounded ones, and raw numbers if there are any."""

    rounded: dict[str, list[Any]]
    raw: dict[str, list[float]]
    seconds: float = 0.0


def compute(read: Inputs) -> Results:
    """All results on this processor."""
    begun = time.monotonic()
    results = Results({}, {})
    _of_sentences(read, results)
    _of_pairs(read, results)
    _of_a_fit(results)
    _of_a_selection(results)
    results.seconds = time.monotonic() - begun
    return results


def _of_sentences(read: Inputs, results: Results) -> None:
    from wdw_build.adapters.page_tagger import PageTagger
    from wdw_build.adapters.sentence_models import SecondTagger

    tagger, annotator = SecondTagger(), _annotator()
    texts = [one.words for one in read.sentences]
    # Before they are rounded, the probabilities are of no use to anyone else.
    probabilities = tagger._in_batches(texts, exact=False)
    results.raw["second tagger"] = np.concatenate([one.ravel() for one in probabilities]).tolist()
    results.rounded["second tagger"] = [msgspec.to_builtins(one) for one in tagger.opinions(texts)]
    pages = PageTagger()
    results.rounded["starts of sentences"] = pages.starts(texts)
    results.rounded["page text"] = pages.probabilities(texts)
    results.rounded["names"] = msgspec.to_builtins(annotator.names(read.sentences))
    results.rounded["trees"] = annotator.trees(read.sentences)


def _of_pairs(read: Inputs, results: Results) -> None:
    from wdw_build.adapters.event_scorers import EncoderScorer
    from wdw_build.adapters.sentence_models import SentenceEncoder
    from wdw_build.ports import ArticleText, EventQuestion
    from wdw_build.text.passages.same_event import Frequencies

    encoder = SentenceEncoder()
    scorer, articles = EncoderScorer(encoder), [ArticleText(*one) for one in read.articles]
    counts = Counter(word for one in articles for word in set(words(" ".join(one.sentences))))
    frequencies = Frequencies(len(articles), counts)
    asked = [EventQuestion(articles[one].sentences[0], articles[one], [articles[other]]) for one, other in read.pairs]
    results.rounded["event scores"] = list(scorer.score(asked, frequencies))
    texts = sorted({articles[number].sentences[0] for pair in read.pairs for number in pair})
    results.raw["sentence vectors"] = np.concatenate(encoder.vectors(texts)).astype(float).tolist()


def _of_a_fit(results: Results) -> None:
    """A fit of the shallow adversary's model on drawn features, and its scores."""
    from wdw_build.reading.probes.log_linear import Encoded, choice_scores, collected, encode, fit

    draw, drawn = np.random.default_rng(1), (list[tuple[Encoded, int]](), list[tuple[Encoded, int]]())
    for number in range(2 * _PROBLEMS):
        choices = [[f"f{feature}" for feature in draw.integers(0, 400, 30)] for _ in range(2 + number % 4)]
        drawn[number % 2].append((encode(choices), int(draw.integers(0, len(choices)))))
    known, judged = map(collected, drawn)
    weights, _ = fit(known, (100.0, 30.0, 10.0, 3.0, 1.0), judged)
    results.raw["shallow scores"] = choice_scores(judged, weights).tolist()
    results.rounded["shallow scores"] = choice_scores(judged, weights).round(3).tolist()


def _of_a_selection(results: Results) -> None:
    from benchmarks.selection import make_offers, terms
    from wdw_build.adapters.pulp_solver import PulpSolver
    from wdw_build.selection.program import choose

    results.rounded["selection"] = choose(make_offers(_ARTICLES, 4), terms("usual"), PulpSolver()).tolist()


# ---- comparison ------------------------------------------------------------------------------------------------------


def on(prefix: Sequence[str], variables: Mapping[str, str], read: Path, folder: Path) -> Results:
    """The results of a process that runs behind ``prefix``, with these environment variables."""
    written = folder / "results.json"
    command = [*prefix, sys.executable, str(Path(__file__)), "--compute", str(read), str(written)]
    environment = {**os.environ, **variables, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(command, check=True, env=environment, stderr=subprocess.DEVNULL if prefix else None)
    return msgspec.json.decode(written.read_bytes(), type=Results)


def estimate(prefix: Sequence[str], read: Inputs, folder: Path) -> list[str]:
    """The lines of the n-gram model that lmplz estimates from all sentences behind ``prefix``."""
    from wdw_build.adapters.kenlm_model import find_tool

    text, arpa = folder / "text", folder / "arpa"
    lines = (" ".join(lm_tokens(sentence)) for *_, sentences in read.articles for sentence in sentences)
    text.write_text("\n".join(lines), encoding="utf-8")
    options = ["-o", "5", "-S", "64M", "-T", str(folder / "sort-"), "--discount_fallback", "--skip_symbols"]
    command = [*prefix, str(find_tool("lmplz")), *options, "--text", str(text), "--arpa", str(arpa)]
    subprocess.run(command, check=True, capture_output=True)
    return arpa.read_text(encoding="utf-8").splitlines()


def compared(here: Results, there: Results) -> dict[str, tuple[int, int, float | None]]:
    """For each kind of result: how many there are, how many rounded ones differ, and the largest raw difference."""
    rows: dict[str, tuple[int, int, float | None]] = {}
    for name in here.rounded | here.raw:
        one, other = here.rounded.get(name, []), there.rounded.get(name, [])
        raw = [np.array(results.raw[name]) for results in (here, there)] if name in here.raw else None
        largest = None if raw is None else float(np.abs(raw[0] - raw[1]).max(initial=0.0))
        rows[name] = len(one), sum(a != b for a, b in zip(one, other, strict=True)), largest
    return rows


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", nargs="*", default=CPUS, help=f"processors that the emulator knows (default: {CPUS})")
    parser.add_argument("--sentences", type=int, default=10**6, help="first sentences (default: all)")
    parser.add_argument("--pairs", type=int, default=200, help="pairs of articles (default: 200)")
    parser.add_argument("--compute", nargs=2, type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.compute:
        read, written = arguments.compute
        written.write_bytes(msgspec.json.encode(compute(msgspec.json.decode(read.read_bytes(), type=Inputs))))
        return 0
    emulator = shutil.which(EMULATOR)
    if emulator is None and arguments.cpu:
        print(f"skipped: there is no {EMULATOR} on this machine (Debian, Ubuntu: apt-get install qemu-user)")
        return 0
    different = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder, path = Path(scratch), Path(scratch, "inputs.json")
        read = inputs(arguments.sentences, arguments.pairs)
        path.write_bytes(msgspec.json.encode(read))
        here, model = on([], {}, path, folder), estimate([], read, folder)
        print(f"{len(read.sentences)} sentences, {len(read.pairs)} pairs; here: {here.seconds:.0f} s", flush=True)
        ways = {name: ((), variables) for name, variables in LIMITED.items()}
        ways |= {cpu: ((str(emulator), "-cpu", cpu), {}) for cpu in arguments.cpu}
        for name, (prefix, variables) in ways.items():
            try:
                there = on(prefix, variables, path, folder)
                lines = estimate(prefix, read, folder) if prefix else model
            except subprocess.CalledProcessError as error:
                if not prefix:
                    raise
                print(f"{name:<12}not compared: the emulator ended with {error.returncode}", flush=True)
                continue
            rows = compared(here, there)
            rows["n-gram model"] = len(model), sum(a != b for a, b in zip(model, lines, strict=True)), None
            for kind, (count, differ, largest) in rows.items():
                rounded = f"{differ:>6} of {count} differ" if count else ""
                raw = "" if largest is None else f"raw results differ by at most {largest:.1e}"
                print(f"{name:<12}{kind:<22}{rounded:<24}{raw}")
                different += differ
            print(f"{name:<12}{there.seconds:.0f} s", flush=True)
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
