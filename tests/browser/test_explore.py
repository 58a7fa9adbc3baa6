"""``explore`` as a person uses it: searching, opening a trace, paging through rejections, with the keyboard and on a phone."""

import pytest

from wdw_build.core.progress import Progress
from wdw_build.web.explore import make_app
from wdw_study.web.base import Access, Listener, running


@pytest.fixture(scope="module")
def address(toy_run):
    """The address of a server over the toy run, its token included."""
    listener, access = Listener(), Access.fresh()
    with running(make_app(toy_run, Progress("quiet"), access, listener), listener):
        yield listener.address(access.owner)


def test_a_person_searches_opens_a_trace_and_reads_rejections(visit, check_page, address, toy_run):
    problem = next(iter(toy_run.distinct_problems))
    page = visit(address)
    assert page.title() == "Run toy"
    assert "token" not in page.url
    check_page(page, "explore-home")

    page.get_by_label("Search problems").fill(problem.choices[problem.answer].name)
    with page.expect_navigation():
        page.get_by_role("button", name="Search").click()
    assert page.get_by_role("cell", name=problem.choices[problem.answer].name, exact=True).first.is_visible()
    check_page(page, "explore-problems")

    with page.expect_navigation():
        page.get_by_role("link", name=problem.id, exact=True).first.click()
    assert page.locator("h1").inner_text().startswith(problem.id)
    assert problem.question.blank.text in page.locator(".blank").all_inner_texts()
    check_page(page, "explore-trace")

    with page.expect_navigation():
        page.get_by_role("link", name="Run toy").click()
    reason = next(iter(toy_run.questions.manifest.reasons))
    with page.expect_navigation():
        page.get_by_role("link", name=reason).first.click()
    assert reason in page.locator("h1").inner_text()
    check_page(page, "explore-rejections")
    with page.expect_navigation():
        page.locator("tbody a").first.click()
    assert "rejected it" in page.locator(".ended").inner_text()


def test_the_first_key_leads_past_the_navigation(visit, address):
    page = visit(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
    page.keyboard.press("Enter")
    page.wait_for_url("**/*#*")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "text"


def test_without_the_token_the_page_says_where_to_find_it(visit, check_accessibility, address):
    visit.expect("status of 403")
    page = visit(address.partition("enter")[0])
    assert "Open the complete address" in page.get_by_role("alert").inner_text()
    check_accessibility(page)
