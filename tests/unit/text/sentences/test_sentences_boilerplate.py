"""boilerplate: lines that recur in a source are learned; news, reprints and lines of other sources are not."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.sentences.boilerplate import Boilerplate, BoilerplateCounter, learned

NOTICE = "Send us your pictures and your views today."


def learn(*articles):
    """The boilerplate of articles: (source, paragraphs, texts after a stamp)."""
    counter = BoilerplateCounter()
    for source, paragraphs, after in articles:
        counter.add(source, paragraphs, [("stamp", text) for text in after])
    return learned(sorted(counter.counts.items()))


def story(number, *lines, after=()):
    return ("Ledger", [f"Envoy {number} left the town of Tarn {number} on Monday.", *lines], after)


def test_a_line_in_many_articles_is_boilerplate_of_its_source_only():
    boilerplate = learn(*(story(number, NOTICE) for number in range(10)))
    assert boilerplate.is_line("Ledger", NOTICE)
    assert boilerplate.is_line("Ledger", f"  {NOTICE} ")
    assert not boilerplate.is_line("Other", NOTICE)


def test_one_story_under_many_headlines_is_no_boilerplate_where_the_text_begins_with_the_headline():
    counter = BoilerplateCounter()
    for number in range(12):
        title = f"Envoy leaves Tarn, part {number}"
        counter.add("Ledger", [title, *story(1, NOTICE)[1]], [], title)
    assert learned(sorted(counter.counts.items())).lines == {}


OTHER_LINES = {
    "too few": [story(number, NOTICE) for number in range(9)],
    "reprints of one story": [story(1, NOTICE)] * 40,
    "a small share": [*(story(number, NOTICE) for number in range(12)), *(story(at) for at in range(100, 1400))],
    "numbers differ": [story(number, f"Shares of firm {number} rose 4 cts.") for number in range(30)],
    "too short": [story(number, "Read more:") for number in range(30)],
}


@pytest.mark.parametrize("why", OTHER_LINES)
def test_other_lines_are_not(why):
    assert learn(*OTHER_LINES[why]).lines == {}


def test_without_articles_there_is_no_boilerplate():
    assert learn() == Boilerplate()


def test_a_sentence_at_the_start_or_the_end_of_a_paragraph_can_be_boilerplate():
    text = "{} Envoy {} left. {}All rights are with us."
    boilerplate = learn(*(("Ledger", [text.format(NOTICE, n, "He went home. " * n)], ()) for n in range(12)))
    assert boilerplate.is_line("Ledger", NOTICE)
    assert boilerplate.is_line("Ledger", "All rights are with us.")


@pytest.mark.parametrize(("number", "known"), [(60, True), (40, False)])
def test_a_short_line_in_very_many_articles_of_all_sources_is_boilerplate(number, known):
    boilerplate = learn(*((f"Paper {n}", [*story(n)[1], "Source link"], ()) for n in range(number)))
    assert boilerplate.is_line("Other", " Source link") == known


STARTS = "Ann Bob Cid Dee Eve Fay Gus Hal Ida Jon".split()


def test_words_after_a_mark_belong_to_it_if_what_follows_them_differs_and_is_capitalised():
    boilerplate = learn(*(story(number, after=[f"Help {name} said so."]) for number, name in enumerate(STARTS)))
    assert boilerplate.label_end("Ledger", "stamp", "10:15 Help Kim said so.", 5) == len("10:15 Help")
    assert boilerplate.label_end("Ledger", "byline", "10:15 Help Kim said so.", 5) == 5
    assert boilerplate.label_end("Other", "stamp", "10:15 Help Kim said so.", 5) == 5


@pytest.mark.parametrize("after", ["The {} said so.", "The old {} said so.", "Mr Ames said so {}."])
def test_the_first_words_of_a_story_do_not_belong_to_the_mark(after):
    words = [name.lower() for name in STARTS]
    assert learn(*(story(number, after=[after.format(word)]) for number, word in enumerate(words))).labels == {}


LINES = st.lists(st.sampled_from([NOTICE, "A second line that recurs here.", "No."]), max_size=3)
ARTICLES = st.lists(st.tuples(st.sampled_from(["A", "A b", "é"]), st.integers(0, 40), LINES), max_size=60)


@given(ARTICLES, st.integers(1, 5))
def test_the_boilerplate_does_not_depend_on_the_order_and_the_shards_of_the_articles(articles, shards):
    texts = [(source, [f"Envoy {number} left.", *lines], [f"Help {number}"]) for source, number, lines in articles]
    counters = [BoilerplateCounter() for _ in range(shards)]
    for number, (source, paragraphs, after) in enumerate(reversed(texts)):
        counters[number % shards].add(source, paragraphs, [("stamp", text) for text in after])
    total = sum((counter.counts for counter in counters), Counter())
    assert learned(sorted(total.items())) == learn(*texts)
