"""All search indexes: a required name, days within the window, the excluded article, order by (-score, id)."""

import itertools
import os
import random
import subprocess
import sys

import pytest

from support import fakes, interpreter
from wdw_build.adapters.lucene_index import LuceneIndex
from wdw_build.adapters.lucene_java import LuceneClasses

ARTICLES = {
    "a": (100, "Zoë Smith met Will Hand in the harbour. The dam broke."),
    "b": (101, "ZOE SMITH's brother spoke about the dam and the harbour and the dam."),
    "c": (103, "Smith and Zoe spoke. Nobody named Zoe Smithson came."),
    "d": (107, "The harbour was quiet, said Zoe Smith’s aunt."),
    "e": (93, "Zoe Smith left."),
    "f": (100, "Will Hand stayed away from the harbour and the dam."),
}


def lucene():
    return LuceneIndex("1g")


def write(index, folder, articles):
    """Write articles with day, text, and perhaps keywords."""
    with index.writer(folder) as add:
        for name, article in articles.items():
            add(name, *article)
    return folder


@pytest.fixture(scope="module", params=[fakes.ScanIndex, pytest.param(lucene, marks=pytest.mark.real)])
def index(request):
    return request.param()


@pytest.fixture(scope="module")
def folder(index, tmp_path_factory):
    return write(index, tmp_path_factory.mktemp("index") / "lucene", ARTICLES)


ASKED = {"sentence": "the dam", "day": 100, "exclude": "", "limit": 10}


def search(index, folder, names=("Zoe Smith",), *, window=50, **changes):
    (hits,) = index.search(folder, names=list(names), windows=[window], **ASKED | changes)
    return hits


def ids(hits):
    return {hit.id for hit in hits}


# Each list has one name as different articles write it.
WRITINGS = {
    "initials": [f"{initials} Toller" for initials in ("J.R.", "J. R.", "J R", "JR", "J.R", "J.-R.", "j. r.")],
    "hyphens": [f"Kim Jong{hyphen}ha" for hyphen in (*"- \u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-\u200b")],
    "two family names": ["Ida Ames-Baxter", "Ida Ames Baxter", "Ida Ames\u2011Baxter", "IDA AMES–BAXTER"],
    "apostrophes": [f"Ann O{mark}Neil" for mark in ["", *"'’‘`´′ʼʻʹ\uff07"]],
    "apostrophes within": ["Ali Ma'mun", "Ali Ma’mun", "Ali Maʿmun", "Ali Maʾmun", "Ali Mamun"],
    "accents": ["Zoë Núñez", "Zoe\u0308 Nu\u0301n\u0303ez", "Zoe Nunez", "ZOË NÚÑEZ", "\uff3aoe N\uff55nez"],
    "letters": ["Jørgen Æbeløe-Þór", "Jorgen Aebeloe Thor", "JØRGEN ÆBELØE ÞÓR"],
    "double letters": ["Łucja Weiß", "Lucja Weiss", "ŁUCJA WEISS", "Łucja WEIẞ"],
    "characters without width": [f"Ann Tol{mark}ler" for mark in ["", *"\xad\u200b\u200c\u200d\u2060\ufeff"]],
    "spaces": [f"Ann{space}Toller" for space in [*" \xa0\u2009\u202f\n", "\u2060 ", " \ufeff"]],
    "possessives": ["Ann Ames", "Ann Ames's", "Ann Ames’s", "Ann Ames`s", "Ann Ames’", "ANN AMES'S", "“Ann Ames”’s"],
    "particles": ["Omar al-Assad", "Omar Al Assad", "Omar Al-Assad", "Omar al\u2011Assad"],
    "nicknames": ["Ann 'Bo' Ames", "Ann “Bo” Ames", "Ann ``Bo'' Ames", "Ann (Bo) Ames", "Ann ‘Bo’ Ames"],
}


@pytest.mark.parametrize("names", WRITINGS.values(), ids=WRITINGS)
def test_an_article_with_one_writing_of_a_name_is_found_with_each_other_writing(index, tmp_path, names):
    texts = {f"w{number}": (100, f"On Monday {name}, 40, spoke.") for number, name in enumerate(names)}
    other = {"other": (100, "On Monday Ann, Zoe, Kim and J. Tolliver spoke.")}
    folder = write(index, tmp_path / "lucene", texts | other)
    for name in names:
        assert ids(search(index, folder, [name], limit=99)) == set(texts), name


# Without terms, with the signs of a query language, or with more terms than Lucene allows in a query.
ODD_SENTENCES = ["", "   ", "the of and", 'AND OR NOT +-"(){}[]^~*?:\\/', "🙂", "\x00"]
ODD_SENTENCES += [f"harbour{mark}".join(map(str, range(3000))) for mark in " -"]


# The search for Zoe Smith within 50 days of day 100, with these changes.
SEARCHES = [
    ({}, "abde"),
    ({"names": ["Zoë Smith's"]}, "abde"),
    # One of several names is enough.
    ({"names": ["Smithson", "Will Hand"]}, "acf"),
    # Words of a name that English analysis would drop or stem are kept, in their order.
    ({"names": ["Will Hand"]}, "af"),
    ({"names": ["Hand Will"]}, ""),
    ({"names": ["Will Hands"]}, ""),
    *(({"names": names}, "") for names in ([], [""], ["..."], ["🙂"])),
    # A window holds its last day on both sides.
    ({"window": 0}, "a"),
    ({"window": 1}, "ab"),
    ({"window": 6}, "ab"),
    ({"window": 7}, "abde"),
    ({"exclude": "a"}, "bde"),
    *(({"sentence": sentence}, "abde") for sentence in ODD_SENTENCES),
]


@pytest.mark.parametrize(("changes", "found"), SEARCHES)
def test_articles_within_the_window_that_have_a_name_as_a_phrase_are_found(index, folder, changes, found):
    assert ids(search(index, folder, **changes)) == set(found)


def test_each_window_has_its_own_best_hits(index, folder):
    asked = {"sentence": "the dam at the harbour", "names": ["Zoe Smith"], "day": 101, "exclude": "b"}
    windows = list(index.search(folder, windows=[0, 1, 6, 50], limit=2, **asked))
    assert [[hit.id for hit in hits] for hits in windows] == [[], ["a"], ["a", "d"], ["a", "d"]]
    assert windows == [search(index, folder, window=window, limit=2, **asked) for window in (0, 1, 6, 50)]


def test_with_a_required_keyword_only_articles_that_have_one_are_hits_and_use_up_the_limit(index, tmp_path):
    # The articles without a keyword that is asked for have the highest scores.
    dam, early = "Ann Ames spoke about the dam.", "Ann Ames spoke about the dam. It broke early."
    articles = {"k": (0, dam, ["ames"]), "l": (1, dam, ["cole", "ames"]), "o": (4, dam, ["cole"])}
    folder = write(index, tmp_path / "lucene", articles | {"m": (2, early, []), "n": (3, early, ["dunn"])})

    def found(wanted, limit=9, *, windows=(9,), **more):
        asked = {"sentence": "the dam broke early", "names": ["Ann Ames"], "day": 0, "windows": windows, "exclude": "o"}
        windows = index.search(folder, **asked, limit=limit, keywords=wanted, **more)
        return [[hit.id for hit in hits] for hits in windows]

    assert found(["ames", "cole"], 2) == [["m", "n"]]
    assert found(["ames", "cole"], 2, require_keyword=True) == [["k", "l"]]
    assert found(["cole"], 2, require_keyword=True) == [["l"]]
    assert found(["ames", "dunn"], windows=(0, 1, 9), require_keyword=True) == [["k"], ["k", "l"], ["n", "k", "l"]]
    assert found(["nobody"], require_keyword=True) == found([], require_keyword=True) == [[]]


def test_a_hit_has_its_day_and_whether_the_article_has_one_of_the_keywords(index, tmp_path):
    keywords = {"k": ["ames", "o'hara"], "l": ["Ames", "a word", "x" * 300], "m": [], "n": ["\ud800"]}
    articles = {name: (day, "Ann Ames spoke.", keywords[name]) for day, name in enumerate(keywords, -2)}
    folder = write(index, tmp_path / "lucene", articles)

    def with_keyword(*wanted):
        hits = search(index, folder, ["Ann Ames"], sentence="", day=0, keywords=wanted)
        assert [(hit.id, hit.day) for hit in hits] == [("k", -2), ("l", -1), ("m", 0), ("n", 1)]
        return {hit.id for hit in hits if hit.has_keyword}

    assert with_keyword() == with_keyword("ame", "o", "hara", "word", "x" * 299) == set()
    assert with_keyword("ames") == with_keyword("o'hara", "none") == {"k"}
    assert with_keyword("a word") == with_keyword("x" * 300) == with_keyword("Ames") == {"l"}
    assert with_keyword("o'hara", "Ames", "\ud800") == {"k", "l", "n"}


def test_only_hits_with_a_keyword_are_found_if_one_is_required_with_the_same_scores(index, tmp_path):
    rng, folder = random.Random(1), tmp_path / "lucene"
    with index.writer(folder) as add:
        for number in range(200):
            text = " ".join(rng.choices(["dam", "harbour", "brother", "aunt", "rain"], k=rng.randint(1, 30)))
            keywords = rng.sample(["beck", "cole", "dunn"], k=rng.randint(0, 2))
            add(f"x{number:03d}", number % 7, f"Ann Ames: {text}.", keywords)
    asked = {"sentence": "dam and harbour, aunt, rain", "names": ["Ann Ames"], "day": 3, "exclude": "x004"}
    for keywords in ([], ["none"], ["beck"], ["beck", "dunn"]):
        given = {**asked, "windows": [1, 3], "keywords": keywords}
        required = list(index.search(folder, limit=20, require_keyword=True, **given))
        found = list(index.search(folder, limit=200, **given))
        assert required == [[hit for hit in hits if hit.has_keyword][:20] for hits in found]


def test_a_score_rises_with_the_words_shared_and_an_article_without_any_is_still_found(index, folder):
    *hits, last = search(index, folder, sentence="the dam at the harbour")
    assert (last.id, last.score) == ("e", 0.0)
    assert ids(hits[:2]) == {"a", "b"}
    hits = search(index, folder, sentence="the harbour, the dam, her brother and the aunt")
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.id))


def test_equal_scores_are_ordered_by_id_and_the_limit_cuts_after_the_ordering(index, tmp_path):
    names = [f"x{number:03d}" for number in range(60)]
    random.Random(0).shuffle(names)
    folder = write(index, tmp_path / "lucene", dict.fromkeys(names, (1, "Ann Ames was there.")))
    for limit in (1, 7, 60, 100):
        hits = search(index, folder, ["Ann Ames"], sentence="was there", day=1, limit=limit)
        assert [hit.id for hit in hits] == sorted(names)[:limit]
    ordered = search(index, folder, ["Ann Ames"], sentence="nothing of it", day=1)
    assert [hit.id for hit in ordered] == sorted(names)[:10]


def test_lone_surrogates_and_control_characters_are_written_and_searched(index, tmp_path):
    articles = {"p": (1, "Ann Ames \ud800 spoke \x00 here."), "q": (1, "Ann \udce9 Ames spoke.")}
    folder = write(index, tmp_path / "lucene", articles)
    assert "p" in ids(search(index, folder, ["Ann Ames"], sentence="spoke \ud800", day=1, exclude="\ud800"))
    search(index, folder, ["Ann \ud800"], day=1)


def test_two_open_indexes_do_not_mix(index, folder, tmp_path):
    assert ids(search(index, write(index, tmp_path / "lucene", {"z": (100, "Zoe Smith alone.")}))) == {"z"}
    assert ids(search(index, folder)) == {"a", "b", "d", "e"}


def shards_of(articles, sizes):
    names = iter(articles)
    return [{name: articles[name] for name in itertools.islice(names, size)} for size in sizes]


def joined(index, folder, shards):
    parts = [write(index, folder / f"shard{number}", shard) for number, shard in enumerate(shards)]
    index.join(parts, folder / "joined")
    return folder / "joined"


def test_joined_indexes_find_and_score_as_one_index_does(index, folder, tmp_path):
    whole = joined(index, tmp_path, shards_of(ARTICLES, (1, 3, 0, 2)))
    for names in (["Zoe Smith"], ["Will Hand"], ["Smithson", "Zoe Smith"]):
        for sentence in ("the dam at the harbour", "the aunt of Zoe Smith", ""):
            for window in (0, 6, 50):
                asked = {"names": names, "sentence": sentence, "window": window, "exclude": "a"}
                assert search(index, whole, **asked) == search(index, folder, **asked), asked


def test_a_join_leaves_the_given_indexes_as_they_are_and_can_be_joined_again(index, tmp_path):
    first = joined(index, tmp_path / "first", shards_of(ARTICLES, (2, 4)))
    index.join([first, write(index, tmp_path / "more", {"g": (100, "Zoe Smith again.")})], tmp_path / "second")
    assert ids(search(index, tmp_path / "second")) == {"a", "b", "d", "e", "g"}
    assert ids(search(index, tmp_path / "first" / "shard1")) == {"d", "e"}


def test_an_empty_index_finds_nothing_and_neither_do_joined_ones(index, tmp_path):
    assert search(index, write(index, tmp_path / "lucene", {}), day=1) == []
    assert search(index, joined(index, tmp_path, [{}, {}])) == []


@pytest.mark.real
def test_the_jvm_keeps_its_handler_of_segmentation_faults():
    code = """
import faulthandler, pathlib, re
from wdw_build.adapters.lucene_java import start
faulthandler.enable()
start("64m")
caught = int(re.search(r"SigCgt:\\s*(\\w+)", pathlib.Path("/proc/self/status").read_text())[1], 16)
assert caught >> 10 & 1
"""
    interpreter.heavy_imports(code)


GIVEN = ["Ann", "Zoë", "Will", "The", "Sean", "Al", "Ann-Marie", "José", "Mary"]
FAMILY = ["Ames", "Smith", "O'Hara", "Hand", "Al-Ansari", "Íñiguez", "May", "And", "Ann"]
FILLER = "the harbour and dam of a port where nobody will may hand over what they say about it".split()


def segments(folder):
    """The number of articles in each segment of an index."""
    with LuceneClasses("1g").reader(folder) as reader:
        return [reader.leaves().get(number).reader().maxDoc() for number in range(reader.leaves().size())]


def generated(size, seed):
    """Articles with a few names in similar forms, among words that also occur in names."""
    draw, articles = random.Random(seed), {}
    for number in range(size):
        words = []
        for _ in range(draw.randint(3, 9)):
            name = f"{draw.choice(GIVEN)} {draw.choice(FAMILY)}"
            form = draw.choice([name, name.upper(), f"{name}'s", f"{name}’s", name.split()[1], name.split()[0], name])
            words += [form, *draw.choices(FILLER, k=draw.randint(0, 3))]
        articles[f"g{number:04d}"] = (draw.randint(0, 40), " ".join(words))
    return articles


def drawn(draw, **limits):
    """A search for a person among generated articles, with these limits."""
    name, sentence = f"{draw.choice(GIVEN)} {draw.choice(FAMILY)}", " ".join(draw.choices(FILLER, k=6))
    limits |= {"day": draw.randint(-3, 43), "window": draw.choice([1, 3, 7, 14])}
    return {"names": [name], "sentence": sentence} | limits


@pytest.mark.real
def test_lucene_joins_shards_of_any_size_into_one_segment_in_their_order(tmp_path):
    real, articles = lucene(), generated(300, seed=3)
    one = write(real, tmp_path / "lucene", articles)
    # The small shards stand before the large ones, which a merge by size would put first.
    whole = joined(real, tmp_path, shards_of(articles, (5, 1, 200, 40, 54)))
    assert segments(whole) == segments(one) == [len(articles)]
    draw = random.Random(4)
    for number in range(100):
        asked = drawn(draw, limit=(3, 300)[number % 2])
        assert search(real, whole, **asked) == search(real, one, **asked), asked


@pytest.mark.real
def test_what_lucene_finds_is_what_a_scan_of_all_articles_finds(tmp_path):
    articles = generated(400, seed=7)
    real, scan = lucene(), fakes.ScanIndex()
    folder, scanned = write(real, tmp_path / "lucene", articles), write(scan, tmp_path / "scan", articles)
    draw, looked_at = random.Random(8), 0
    for _ in range(200):
        asked = drawn(draw, limit=1000, exclude=draw.choice(list(articles)))
        found = ids(search(real, folder, **asked))
        assert found == ids(search(scan, scanned, **asked)), asked
        looked_at += len(found)
    assert looked_at > 500


@pytest.mark.real
def test_a_path_in_any_characters_is_written_in_the_locale_c(tmp_path):
    code = (
        "from pathlib import Path\nfrom wdw_build.adapters.lucene_index import LuceneIndex\n"
        f"with LuceneIndex('64m').writer(Path({str(tmp_path / 'zoë')!r})) as add:\n    add('a', 100, 'Zoe left.')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"LC_ALL": "C"})
    assert list((tmp_path / "zoë").iterdir())
