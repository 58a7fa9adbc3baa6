"""annotate in Chromium: two annotators at once, keys alone, undo, a closed tab, a killed server, and adjudication."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from support.served import running
from support.sheets import NAMES, sheet_folder, sheet_problem
from support.toy_stages import eventually
from wdw_study.judging.score import score
from wdw_study.judging.sheets import FAULTS, judged_of
from wdw_study.web.access import Access
from wdw_study.web.server import Listener
from wdw_study.web.serving import judging_app

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install -e '.[browser]')")

SOURCE = Path(__file__).parents[2] / "src"
LOW = {"width": 1280, "height": 720}
# Serves a sheet in a process that the test kills.
SERVE = """
import sys
from pathlib import Path
from wdw_study.judging.sheets import SheetFolder
from wdw_study.web.serving import judging_app
from wdw_study.web.access import Access
from wdw_study.web.server import Listener, serve
folder = SheetFolder.read(Path(sys.argv[1]))
listener = Listener(port=int(sys.argv[2]))
serve(judging_app(folder, Access.stored(folder.secrets), listener), listener, lambda: print("ready", flush=True))
"""


@pytest.fixture
def served(tmp_path):
    """A sheet of two problems, and the addresses of annotators and owner."""
    folder = sheet_folder(tmp_path, 2)
    access, listener = Access.stored(folder.secrets), Listener()
    with running(judging_app(folder, access, listener), listener):
        yield folder, listener.address(access.reader), listener.address(access.owner)


def sign_in(page, name):
    page.get_by_label("Name").fill(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in").click()
    with page.expect_navigation():
        page.get_by_role("link", name="Start", exact=True).last.click()


def press(page, name):
    """Press a button that leads to a page, and wait for that page."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


def saved(page):
    page.locator("#status", has_text="Saved.").wait_for()


def key_of(page, name):
    """The number of the choice with this name in the order of this person."""
    return page.locator("label", has_text=name).locator("kbd").first.inner_text()


def answer(page, name):
    page.keyboard.press("0" if name == "cannot tell" else key_of(page, name))
    saved(page)


def answers(folder, person):
    return {one.problem: one for one in judged_of(folder).judgements if one.person == person}


def test_two_annotators_at_once_answer_by_keys_alone_and_the_owner_adjudicates_and_scores(served, visit, check_page):
    folder, reader_address, owner_address = served
    eve, fay = visit(reader_address), visit(reader_address)
    sign_in(eve, "Eve")
    sign_in(fay, "Fay")
    check_page(eve, "annotate-problem")
    eve.set_viewport_size(LOW)
    for part in (eve.get_by_role("button", name="Save, next open problem"), eve.locator("#status")):
        assert in_view(eve, part)
    for box in eve.locator("fieldset input").all():
        outer = box.locator("xpath=ancestor::fieldset").bounding_box()
        assert outer["x"] < box.bounding_box()["x"], "a box is cut by the edge of its fieldset"
    given = {eve: ["Ann Ames", "Ann Ames"], fay: ["Ann Ames", "cannot tell"]}
    for number in range(2):
        for page in (eve, fay):
            assert page.url.endswith(f"/problem/{number + 1}")
            answer(page, given[page][number])
            page.locator("#status", has_text=f"{number + 1} of 2 answered").wait_for()
            if page is fay and number == 1:
                page.keyboard.press("t")
                page.keyboard.press("n")
                page.keyboard.type("two of them, u see")
                page.keyboard.press("Escape")
                saved(page)
            with page.expect_navigation():
                page.keyboard.press("Enter")
    for page, name in ((eve, "Eve"), (fay, "Fay")):
        page.get_by_role("heading", name=f"All answered. Thank you, {name}!").wait_for()
    found = answers(folder, "Fay")
    assert [found[f"q{n}"].answer for n in range(1, 3)] == [0, None]
    assert (found["q2"].faults, found["q2"].note) == (("two-answers",), "two of them, u see")

    owner = fay
    owner.goto(owner_address)
    check_page(owner, "annotate-progress")
    with owner.expect_navigation():
        owner.get_by_role("link", name="Disagreements").click()
    check_page(owner, "annotate-disagreements")
    with owner.expect_navigation():
        owner.get_by_role("link", name="Problem 2").click()
    assert not owner.get_by_text("(q2)").is_visible()
    check_page(owner, "annotate-adjudicate")
    owner.set_viewport_size(LOW)
    assert in_view(owner, owner.get_by_role("button", name="Decide"))
    owner.get_by_label("Bob Beck").check()
    owner.get_by_label("Your name").fill("Olga")
    owner.get_by_role("button", name="Decide").click()
    owner.get_by_text("1 of 1 decided").wait_for()
    with owner.expect_navigation():
        owner.get_by_role("link", name="Scores").click()
    check_page(owner, "annotate-scores")
    result = score(judged_of(folder))
    assert {one.person: one.accuracy.share for one in result.persons} == {"Eve": 1.0, "Fay": 0.5}
    assert result.adjudication.key_wrong.part == 1


def test_undo_keys_that_are_switched_off_and_a_closed_tab(served, visit, check_page):
    folder, address, _ = served
    page = visit(address)
    sign_in(page, "Eve")
    answer(page, "Ann Ames")
    answer(page, "Bob Beck")
    with page.expect_navigation():
        page.keyboard.press("ArrowRight")
    assert page.url.endswith("/problem/2")
    answer(page, "Ann Ames")
    for number in (2, 1):
        with page.expect_navigation():
            page.keyboard.press("u")
        assert page.url.endswith(f"/problem/{number}")
    assert {problem: one.answer for problem, one in answers(folder, "Eve").items()} == {"q1": 0}
    page.keyboard.press("?")
    keys_on = page.get_by_label("Use these keys")
    keys_on.uncheck()
    page.locator("h1").click()
    page.keyboard.press("t")
    page.keyboard.press("2")
    page.reload()
    assert not keys_on.is_checked(), "the switch is not kept"
    assert {problem: one.answer for problem, one in answers(folder, "Eve").items()} == {"q1": 0}
    assert answers(folder, "Eve")["q1"].faults == ()
    page.keyboard.press("?")
    keys_on.check()
    page.locator("h1").click()
    answer(page, "cannot tell")
    page.close()
    again = page.context.new_page()
    again.goto(address)
    again.get_by_text("1 of 2 answered").wait_for()
    check_page(again, "annotate-start")
    assert answers(folder, "Eve")["q1"].answered


def test_marks_are_steps_of_undo_a_note_is_saved_while_one_types_and_a_page_that_is_signed_out_says_so(served, visit):
    folder, address, _ = served
    page = visit(address)
    page.on("dialog", lambda dialog: dialog.accept())
    page.clock.install()
    sign_in(page, "Eve")
    page.keyboard.type("wastgelb")
    saved(page)
    with page.expect_navigation():
        page.keyboard.press("u")
    assert answers(folder, "Eve")["q1"].faults == tuple(list(FAULTS)[:7])

    page.keyboard.press("n")
    with page.expect_response("**/problem/1"):
        for _ in range(8):
            page.keyboard.press("x")
            assert page.locator("#status").inner_text() in ("Not saved yet.", "Saving …")
            page.clock.run_for(500)
    assert set(answers(folder, "Eve")["q1"].note) == {"x"}, "a long text is not saved while one types"
    page.keyboard.type(" end")
    page.goto(address)
    # The browser sends the rest of the note when the next page is there already.
    eventually(lambda: answers(folder, "Eve")["q1"].note == "xxxxxxxx end")

    page.goto(address.partition("/enter")[0] + "/problem/2")
    other = page.context.new_page()
    other.goto(address)
    with other.expect_navigation():
        other.get_by_role("button", name="Sign out").click()
    page.keyboard.press("t")
    page.get_by_text("You are signed out: sign in again").wait_for()
    other.get_by_label("Name").fill("Eve")
    other.get_by_role("button", name="Sign in").click()
    other.get_by_text("0 of 2 answered").wait_for()
    page.clock.run_for(2000)
    saved(page)
    assert answers(folder, "Eve")["q2"].faults == ("two-answers",)


def test_labels_of_phenomena_are_given_by_numbers(tmp_path, visit, check_page):
    folder = sheet_folder(tmp_path, 1, task="phenomena")
    access, listener = Access.stored(folder.secrets), Listener()
    with running(judging_app(folder, access, listener), listener):
        page = visit(listener.address(access.reader))
        sign_in(page, "Eve")
        page.get_by_text("The answer is Ann Ames.").wait_for()
        page.keyboard.press("2")
        saved(page)
        page.keyboard.press("5")
        page.keyboard.press("2")
        page.keyboard.press("4")
        page.locator("#status", has_text="Saved. 1 of 1 answered.").wait_for()
        page.set_viewport_size(LOW)
        assert in_view(page, page.get_by_role("button", name="Save, previous problem"))
        page.keyboard.press("?")
        check_page(page, "annotate-phenomena")
        page.locator("h1").click()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="All answered. Thank you, Eve!").wait_for()
    assert answers(folder, "Eve")["q1"].phenomena == ("multiple", "commonsense")


def quiet_port():
    """A free port that stays free: the system gives out only ports above these, to whoever asks for any."""
    for port in range(20_000, 30_000):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no free port")


def start(folder, port):
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder.path), str(port)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert process.stdout.readline() == b"ready\n"
    return process


def test_a_server_that_is_killed_loses_nothing_and_the_page_sends_its_change_when_it_is_back(tmp_path, visit):
    folder = sheet_folder(tmp_path, 6)
    port = quiet_port()
    server = start(folder, port)
    try:
        page = visit(f"http://127.0.0.1:{port}/enter?token={Access.stored(folder.secrets).reader}")
        sign_in(page, "Eve")
        answer(page, "Bob Beck")
        server.send_signal(signal.SIGKILL)
        visit.expect("ERR_CONNECTION_REFUSED")
        server.wait()
        assert answers(folder, "Eve")["q1"].answer == 1
        page.keyboard.press(key_of(page, "Ann Ames"))
        page.get_by_text("Not saved: the server does not answer.").wait_for()
        page.keyboard.press("Enter")
        page.keyboard.press("b")
        assert page.url.endswith("/problem/1"), "a page with a change that is not saved was left"
        listener = Listener(port=port)
        with running(judging_app(folder, Access.stored(folder.secrets), listener), listener):
            page.wait_for_url("**/problem/2")
        found = answers(folder, "Eve")["q1"]
        assert (found.answer, found.faults) == (0, ("broken-text",))
    finally:
        server.kill()
        server.wait()


def in_view(page, locator):
    """Whether all of an element is within the window, and nothing lies over its middle."""
    box, window = locator.bounding_box(), page.viewport_size
    return (
        box["y"] >= 0
        and box["y"] + box["height"] <= window["height"]
        and locator.evaluate(
            """part => {
              const box = part.getBoundingClientRect();
              const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
              return part.contains(top) || top.contains(part);
            }"""
        )
    )


def test_question_and_choices_are_on_screen_together_and_touch_targets_are_large(tmp_path, visit):
    long = " ".join(f"Sentence {number} says little about the bridge." for number in range(120))
    problems = [sheet_problem(1, passage=long, choices=(*NAMES, "Eve Ely")), sheet_problem(2)]
    folder = sheet_folder(tmp_path, problems=problems)
    access, listener = Access.stored(folder.secrets), Listener()
    with running(judging_app(folder, access, listener), listener):
        page = visit(listener.address(access.reader))
        sign_in(page, "Eve")
        choices = page.locator("label:has(input[name=answer])")
        for width, height in ((390, 844), (768, 1024)):
            page.set_viewport_size({"width": width, "height": height})
            choices.last.scroll_into_view_if_needed()
            assert in_view(page, page.locator("mark.blank")), f"the blank is not on screen at {width} px"
            assert all(in_view(page, choice) for choice in choices.all()), f"choices are hidden at {width} px"
            for target in [*choices.all(), *page.locator("button:visible").all()]:
                assert target.bounding_box()["height"] >= 44
        page.set_viewport_size({"width": 1280, "height": 900})
        page.evaluate("scrollTo(0, 0)")
        assert all(in_view(page, part) for part in (page.locator(".faults label").last, page.get_by_label("Note")))

        # The arrows move between the choices, and the chosen row is lit.
        choices.first.click()
        page.keyboard.press("ArrowRight")
        saved(page)
        assert choices.nth(1).locator("input").is_checked()
        assert page.url.endswith("/problem/1")
        colours = [choices.nth(n).evaluate("row => getComputedStyle(row).backgroundColor") for n in range(3)]
        assert colours[0] == colours[2] != colours[1]


def test_every_step_works_without_javascript(served, visit):
    folder, address, _ = served
    page = visit(address, java_script_enabled=False)
    sign_in(page, "Eve")
    page.get_by_label("Bob Beck").check()
    page.get_by_label("two choices are right").check()
    press(page, "Save, next open problem")
    page.get_by_role("heading", name="Problem 2 of 2").wait_for()
    page.get_by_label("Bob Beck").check()
    press(page, "Save")
    page.get_by_label("a round-up").check()
    for _ in range(2):
        press(page, "Undo my last change")
    page.get_by_text("1 of 2 answered").wait_for()
    found = answers(folder, "Eve")
    assert (found["q1"].answer, found["q1"].faults, list(found)) == (1, ("two-answers",), ["q1"])
