"""Which articles are copies of an earlier one, and which only resemble it."""

import random

import msgspec
import pytest

from support.make import article, day
from wdw_build.similarity.copies import TextWriter, find_copies

RANDOM = random.Random(7)
WORDS = ["".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(2000)]


def text(seed, count=200):
    return " ".join(random.Random(seed).choices(WORDS, k=count))


STORY = text(1)


def copies(folder, articles, size=3):
    """Copy -> the article that is kept, by id; the articles are in blocks of ``size``."""
    folders = []
    for start in range(0, len(articles), size):
        block = folder / str(start)
        block.mkdir(parents=True)
        writer = TextWriter()
        for one in articles[start : start + size]:
            writer.add(one)
        writer.write(block)
        folders.append(block)
    return dict(find_copies(folders))


def changed(story, numbers, word="corrected"):
    return " ".join(word if number in numbers else old for number, old in enumerate(story.split()))


NEARLY = {
    "other spaces, capitals and punctuation": STORY.upper().replace(" ", ",\n "),
    "a few corrected words": changed(STORY, {20, 90, 150}),
    "a label before it": f"Share this story now {STORY}",
    "page text after it": f"{STORY} {text(2, 24)}",
    "page text at both ends": f"Share this story {STORY} {text(3, 20)}",
    "a lost last word": STORY.rpartition(" ")[0],
}


@pytest.mark.parametrize("kind", NEARLY)
def test_an_article_with_nearly_the_text_of_an_earlier_one_is_its_copy(tmp_path, kind):
    one, other = article("one", STORY), article("other", NEARLY[kind], date=day(30), source="Other")
    assert copies(tmp_path, [other, article("x", text(9)), one]) == {"other": "one"}


OTHERS = {
    "another lead": f"{text(4, 30)} {' '.join(STORY.split()[30:])}",
    "another selection of paragraphs": f"{' '.join(STORY.split()[:100])} {text(5, 60)} {' '.join(STORY.split()[100:])}",
    "many corrected words": changed(STORY, range(0, 200, 12)),
    "half of it": " ".join(STORY.split()[:100]),
    "news after it": f"{STORY} {text(6, 60)}",
}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_rewritten_or_continued_article_is_no_copy(tmp_path, kind):
    assert copies(tmp_path, [article("one", STORY), article("other", OTHERS[kind])]) == {}


def test_reports_that_differ_only_in_their_figures_are_no_copies(tmp_path):
    first = f"{STORY} It rained 27 mm and the river rose to 4 m."
    second = f"{STORY} It rained 63 mm and the river rose to 8 m."
    assert copies(tmp_path / "other", [article("one", first), article("other", second)]) == {}
    assert copies(tmp_path / "same", [article("one", first), article("other", f"Again: {first}")]) == {"other": "one"}


def test_a_short_text_is_a_copy_only_under_the_same_title(tmp_path):
    short = "Dividend five cents, pay July 15."
    first, second = (msgspec.structs.replace(article(name, short), title=name) for name in "ab")
    assert copies(tmp_path / "other", [first, second]) == {}
    assert copies(tmp_path / "same", [first, msgspec.structs.replace(second, title="a")]) == {"b": "a"}


def test_the_earliest_article_is_kept_and_of_one_day_that_with_the_smallest_id(tmp_path):
    group = [article("a", STORY, date=day(1)), article("c", STORY), article("b", NEARLY["a few corrected words"])]
    assert copies(tmp_path, group) == {"a": "b", "c": "b"}


def test_what_is_kept_is_similar_to_each_of_its_copies(tmp_path):
    """Each version of a running story may differ little from the version before."""
    texts = [changed(STORY, range(10, 10 + 30 * n, 10)) for n in range(6)]
    versions = [article(f"v{n}", version, date=day(n)) for n, version in enumerate(texts)]
    assert copies(tmp_path, versions) == {"v1": "v0", "v3": "v2", "v5": "v4"}


def test_the_copies_do_not_depend_on_the_blocks(tmp_path):
    stories = [article(f"{n % 40}-{n}", changed(text(n % 40), {n // 40 * 7}), date=day(n % 5)) for n in range(160)]
    found = copies(tmp_path / "1", stories, 1)
    assert len(found) == 120
    assert found == copies(tmp_path / "50", stories, 50) == copies(tmp_path / "reversed", stories[::-1], 7)


def test_an_article_is_no_copy_of_an_entry_with_its_own_id(tmp_path):
    again = article("one", STORY, date=day(1))
    assert copies(tmp_path, [article("one", STORY), again, article("two", STORY)]) == {"two": "one"}


def test_texts_without_words_and_an_empty_corpus_have_no_copies(tmp_path):
    assert copies(tmp_path / "none", []) == {}
    lines = [msgspec.structs.replace(article(name, "--"), title=name) for name in "ab"]
    assert copies(tmp_path / "lines", lines) == {}
