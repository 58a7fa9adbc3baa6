"""report: the page says what the facts say, is one file that asks for nothing, and shows texts as texts."""

import re
from xml.etree import ElementTree

import msgspec
import pytest

from support.toy_pipeline import ListReader, events, ports, run_of
from wdw_build.core.progress import Progress
from wdw_build.errors import DamagedOutputError
from wdw_build.views.charts import rows, stacked
from wdw_build.views.dataset import facts
from wdw_build.views.report import page
from wdw_build.views.sections import ReportSection, leave_section, sections

QUIET = Progress("quiet")
EVIL = "<script>alert('x')</script>&amp;\"\x07"


def shown(run, seed=0):
    counted = facts(run)
    return page(run, counted, sections(run, counted), seed, QUIET)


def hostile():
    """Every article with markup in its title, its source and a paragraph."""
    for one in events():
        changes = {"title": f"{EVIL} title", "source": f"HP {EVIL}", "paragraphs": (*one.paragraphs, f"more {EVIL}.")}
        yield msgspec.structs.replace(one, **changes)


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    run = run_of(tmp_path_factory.mktemp("store"), ports(reader=ListReader(hostile(), "hostile")))
    leave(run, title=EVIL, head=(EVIL, "accuracy"), rows=((EVIL, 1234),))
    return run


def leave(run, name="bench", **fields):
    """Write a section into a run's folder, as another package does."""
    leave_section(run.folder, name, ReportSection(**{"fingerprint": run.fingerprint, **fields}))


@pytest.fixture(scope="module")
def pages(toy, bad):
    return {"plain": shown(toy.run), "hostile": shown(bad)}


# ---- one file, safe --------------------------------------------------------------------------------------------------


def test_markup_in_articles_and_sections_is_shown_and_not_obeyed(pages):
    assert "<script" not in pages["hostile"].lower()
    assert pages["hostile"].count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;&#34;") > 3
    assert "\x07" not in pages["hostile"]


@pytest.mark.parametrize("name", ["plain", "hostile"])
def test_the_page_asks_for_nothing_and_has_no_script(pages, name):
    assert not re.search(r"<(script|link|img|iframe|object|base|form)\b|\son\w+=|@import|url\((?!#)", pages[name])
    assert all(link.startswith("#") for link in re.findall(r'(?:href|src)="([^"]*)"', pages[name]))
    assert "default-src 'none'" in pages[name]
    assert "script-src" not in pages[name]
    assert len(pages[name].encode()) < 3_000_000


def test_the_same_run_gives_the_same_bytes_and_another_seed_other_problems(toy, pages):
    assert shown(toy.run) == pages["plain"]
    assert shown(toy.run, 1).partition('id="problems"')[2] != pages["plain"].partition('id="problems"')[2]


# ---- what it says ----------------------------------------------------------------------------------------------------


def test_every_reason_that_occurs_has_its_meaning_its_count_and_up_to_five_examples(toy, pages):
    rejections = pages["plain"].partition('id="rejections"')[2].partition('id="made"')[0]
    blocks = re.findall(
        r'<summary><span class="count">([\d,]+)</span> <code>(.*?)</code>.*?<div class="inside">(.*?)\n</div>\n</details>',
        rejections,
        re.DOTALL,
    )
    losses = (*toy.facts.rejections.values(), *toy.facts.refused.values())
    counted = {(name, int(count.replace(",", ""))) for count, name, _ in blocks}
    assert counted == {loss for by in losses for loss in by.items()}
    for count, _, inside in blocks:
        assert inside.count('<div class="example">') == min(5, int(count.replace(",", "")))


def test_problems_are_shown_with_the_answer_behind_a_click(toy, pages):
    body = pages["plain"].partition('id="problems"')[2]
    found = re.findall(r'<section class="problem">(.*?)</section>', body, re.DOTALL)
    assert len(found) == min(20, len(toy.run.assignments))
    for section in found:
        seen, _, hidden = section.partition("<details>")
        (record_id,) = re.findall(r"<code>(.*?)</code>", hidden)
        joined = toy.run.problem(record_id)
        assert f"<b>{joined.answer}</b>" in hidden
        assert seen.count("<li>") == len(joined.problem.choices)


def test_a_section_of_another_package_is_shown_unless_it_is_of_earlier_outputs(bad):
    leave(bad, "people", title="Human performance", head=("sheet", "accuracy"), rows=(("50-seed-0", ".84"),))
    assert "50-seed-0" in shown(bad)
    leave(bad, "people", title="Human performance", head=("sheet",), rows=(("50-seed-0",),), fingerprint="earlier")
    assert "50-seed-0" not in shown(bad)
    assert "earlier outputs of the run, and are not shown (people.json)" in shown(bad)
    leave(bad, "people", title="Human performance", head=("sheet",), rows=(("50-seed-0",),), fingerprint="")
    assert "50-seed-0" in shown(bad)
    (bad.folder / "sections" / "people.json").write_text("{}")
    with pytest.raises(DamagedOutputError, match="is not a section"):
        shown(bad)
    (bad.folder / "sections" / "people.json").unlink()


# ---- charts ----------------------------------------------------------------------------------------------------------


def test_the_chart_of_a_distribution_names_each_band_and_has_its_count_however_long_the_longest_passage_is(toy):
    lengths = {"16": {"train.relaxed": 3}, "210": {"train.relaxed": 400, "test": 16}, "90007": {"test": 1}}
    changed = msgspec.structs.replace(toy.facts, distributions={**toy.facts.distributions, "passage tokens": lengths})
    chart = page(toy.run, changed, [], 0, QUIET).partition("<h3>Passage tokens</h3>")[2].partition("</figure>")[0]
    written = re.findall(r"<text[^>]*>([^<]*)</text>", chart)
    assert {"15 to 19", "200 to 249", "10,000 or more", "3", "416", "1"} <= set(written)


@pytest.mark.parametrize("draw", [rows, stacked])
def test_a_chart_is_well_formed_names_itself_and_has_the_same_bytes_each_time(draw):
    drawn = [draw(EVIL, {"a": [1, 2], "$b$": [3, 4]}, ["<one>", "two"]) for _ in range(2)]
    assert drawn[0] == drawn[1]
    root = ElementTree.fromstring(str(drawn[0]).replace("\x07", "").replace("xlink:", "xlink"))
    assert root.attrib["role"] == "img"
    assert "<one>" not in drawn[0]
    assert "$b$" in drawn[0]
