"""report: the page says what the run says, is one file that asks for nothing, and shows texts as texts."""

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import bench_tables
from support.toy_pipeline import Named, events, pipeline, ports
from wdw_build.core.progress import Progress
from wdw_build.dataset import open_run
from wdw_build.pipeline import BY_NAME, STAGES
from wdw_build.views.report import against, gather, page
from wdw_build.views.report.charts import element, picture, text, ticks
from wdw_build.views.report.histograms import by_month, histogram, histograms

QUIET = Progress("quiet")
EVIL = "<script>alert('x')</script>&amp;\"\x07"
VOID = {"meta", "br", "link", "img", "input", "hr"}


def hostile():
    """Every article with markup in its title, its source and a paragraph."""
    for one in events():
        changes = {
            "title": f"{EVIL} title",
            "source": f"HP {EVIL}",
            "paragraphs": (*one.paragraphs, f"more {EVIL} here."),
        }
        yield msgspec.structs.replace(one, **changes)


def built(root, run, articles, **changes):
    toy = pipeline(root, ports(reader=Named(list(articles), run)), run=run, **changes)
    toy.run()
    return open_run(toy.run_folder, STAGES).require_complete()


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def run(root):
    return built(root, "toy", events())


@pytest.fixture(scope="module")
def facts(run):
    return gather(run, 0, QUIET)


@pytest.fixture(scope="module")
def other(root):
    return built(root, "other", hostile(), dedup=BY_NAME["dedup"].config(threshold=0.66))


@pytest.fixture(scope="module")
def pages(run, facts, other):
    """The page of a plain run, of a hostile one, of the hostile one against the plain one, and with a table of systems."""
    bad = gather(other, 0, QUIET)
    beside = against(run, other, 0, QUIET)
    systems = page(facts._replace(systems=bench_tables.stored(bench_tables.typical(EVIL))))
    return {"plain": page(facts), "hostile": page(bad), "against": page(bad, beside), "systems": systems}


# ---- one file, safe --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hostile", "against", "systems"])
def test_markup_in_articles_is_shown_and_not_obeyed(pages, name):
    assert "<script" not in pages[name].lower()
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;&#34;" in pages[name]
    assert "\x07" not in pages[name]


@pytest.mark.parametrize("name", ["plain", "hostile", "against", "systems"])
def test_the_page_asks_for_nothing_and_has_no_script(pages, name):
    assert not re.search(r"<(script|link|img|iframe|object|base|form)\b|\son\w+=|@import|url\(", pages[name])
    assert all(link.startswith("#") for link in re.findall(r'(?:href|src)="([^"]*)"', pages[name]))
    assert "default-src 'none'" in pages[name]
    assert len(pages[name].encode()) < 3_000_000
    assert "prefers-color-scheme: dark" in pages[name]
    assert "@media print" in pages[name]


class Balance(HTMLParser):
    """Complains of an element that is not closed, or closed twice; collects anchors and links."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for key, value in attrs if key == "id"]
        self.links += [value[1:] for key, value in attrs if key == "href"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()


@pytest.mark.parametrize("name", ["plain", "hostile", "against", "systems"])
def test_every_element_is_closed_and_every_link_leads_to_an_anchor(pages, name):
    parser = Balance()
    parser.feed(pages[name])
    assert parser.open == []
    assert set(parser.links) <= set(parser.ids)
    assert len(parser.ids) == len(set(parser.ids))


def test_every_picture_is_well_formed_and_says_what_it_shows(pages):
    found = re.findall(r"<svg.*?</svg>", pages["hostile"], re.DOTALL)
    assert len(found) >= 13
    for one in found:
        assert ElementTree.fromstring(one).attrib["aria-label"]


def test_the_same_run_gives_the_same_bytes_and_another_seed_other_problems(run, facts, pages):
    assert page(gather(run, 0, QUIET)) == pages["plain"]
    orders = {tuple(one.problem.id for one in gather(run, seed, QUIET).shown) for seed in range(3)}
    assert len(orders) == 3


# ---- what it says ----------------------------------------------------------------------------------------------------


def test_the_funnel_has_the_numbers_of_the_manifests(run, facts):
    order = ["ingest", "questions", "retrieve", "choices", "dedup", "adversary", "suppress", "split", "export"]
    assert [step.stage for step in facts.steps] == order
    for step in facts.steps:
        manifest = run.tables[step.stage].manifest
        assert (step.read, step.written, dict(step.reasons)) == (manifest.read, manifest.written, manifest.reasons)


def test_every_reason_that_occurs_has_its_meaning_and_up_to_five_examples(run, facts):
    for loss in facts.losses:
        manifest = run.outputs[loss.stage].manifest
        assert {reason.name: reason.count for reason in loss.reasons} == manifest.reasons
        for reason in (*loss.reasons, *loss.rules):
            assert reason.meaning
            assert len(reason.examples) == min(5, reason.count)


def test_the_histograms_count_every_problem(run, facts):
    total = len(run.assignments)
    found = histograms(facts.counts.dataset)
    assert len(found) == 7
    for one in found:
        assert sum(each.count for each in one.bins) == total
    (positions,) = (one for one in found if one.title == "Position of the answer")
    assert sum(each.expected for each in positions.bins) == pytest.approx(total)
    assert sum(sum(counts) for _, counts in by_month(facts.counts.parts)) == total


def test_months_without_a_problem_are_there_too(facts):
    months = [month for month, _ in by_month(facts.counts.parts)]
    assert months == sorted(set(months))
    first, last = (int(month[:4]) * 12 + int(month[5:]) for month in (months[0], months[-1]))
    assert len(months) == last - first + 1


def test_the_cells_hold_every_problem_and_what_was_kept_of_it(run, facts):
    found = facts.counts.cells
    cells = [cell for row in found.rows.values() for cell in row.values()]
    assert sum(cell.problems for cell in cells) == len(run.predictions)
    assert sum(cell.relaxed for cell in cells) == len(run.decisions)
    assert all(cell.strict <= cell.relaxed for cell in cells)
    assert all(len(pattern) == len(found.baselines) for pattern in found.rows)


def test_event_scores_are_shown_before_and_after_suppression(facts, pages):
    table = pages["plain"].partition("Event score before and after suppression")[2].partition("</table>")[0]
    assert table.count("<tr>") == 1 + len(facts.summary.event_bands) > 1


def test_problems_are_shown_with_the_answer_behind_a_click(facts, pages):
    body = pages["plain"].partition('id="problems"')[2]
    sections = re.findall(r'<section class="problem">(.*?)</section>', body, re.DOTALL)
    assert len(sections) == len(facts.shown) > 0
    for shown, section in zip(facts.shown, sections, strict=True):
        seen, _, hidden = section.partition("<details>")
        assert shown.problem.choices[shown.problem.answer] in hidden
        assert seen.count("<li>") == len(shown.choices)
        assert shown.problem.id not in seen


def test_what_changed_is_counted_by_problem(run, other):
    beside = against(run, other, 0, QUIET)
    old, new = ({one.id for one in each.outputs["split"].records()} for each in (run, other))
    assert beside.counts["appeared"] == len(new - old)
    assert beside.counts["left"] == len(old - new)
    assert beside.counts["changed"] == len(old & new), "every passage has another text"
    assert beside.config == [("dedup.threshold", "0.8", "0.66")], "names of runs are no difference"


# ---- small parts -----------------------------------------------------------------------------------------------------


@given(st.dictionaries(st.integers(-50, 5000), st.integers(1, 9), min_size=1))
def test_a_histogram_counts_everything_in_few_bars(counts):
    found = histogram("t", "u", counts)
    assert sum(one.count for one in found.bins) == sum(counts.values())
    assert len(found.bins) <= 32
    assert len({one.label for one in found.bins}) == len(found.bins)


def test_a_far_tail_is_one_bar():
    counts = Counter(range(100, 400)) + Counter({9000: 1})
    labels = [one.label for one in histogram("t", "u", counts).bins]
    assert labels[-1].endswith(" or more")
    assert int(labels[-1].split()[0]) < 500


@given(st.floats(1e-3, 1e7))
def test_the_ticks_reach_the_highest_value_in_a_few_even_steps(most):
    found = ticks(most)
    assert found[0] == 0
    assert found[-1] >= most * (1 - 1e-6)
    assert 2 <= len(found) <= 11
    steps = [after - before for before, after in pairwise(found)]
    assert max(steps) == pytest.approx(min(steps))


def test_text_and_attributes_of_pictures_are_escaped():
    made = str(picture(10, 10, '"><script>', [text(0, 0, "<b>"), element("a", "&", title="'\"<")]))
    assert "<script" not in made
    assert "<b>" not in made
    assert ElementTree.fromstring(made).attrib["aria-label"] == '"><script>'
