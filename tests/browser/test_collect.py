"""``collect`` as two people use it: a question is refused, one is accepted, validated by the second person, and exported."""

import json

import pytest

from support.collected import HARBOUR, PASSAGES, FakeAdversary, collection_folder, write
from support.served import running
from wdw_study.collecting.collection import export_questions
from wdw_study.collecting.questions import Answerer
from wdw_study.web.access import Access
from wdw_study.web.server import Listener
from wdw_study.web.serving import collecting_app

EASY, GOOD = "Who spoke about corrosion?", "Who said how old the steel was?"


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    return collection_folder(tmp_path_factory.mktemp("collect"))


@pytest.fixture(scope="module")
def addresses(opened):
    """The address for writers and that of the owner, of a server with a fake adversary."""
    answerer = Answerer(FakeAdversary({EASY: ("Tomas Reik",)}), lambda message: None)
    listener, access = Listener(), Access.fresh()
    with running(collecting_app(opened, answerer, access, listener), listener):
        yield listener.address(access.reader), listener.address(access.owner)


def sign_in(page, name):
    page.get_by_label("Name").fill(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in").click()


def wait_for_frame(page):
    """The browser tells the script of the page of a selection with its next frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def select(page, text):
    """Select text of the passage as a mouse does."""
    page.evaluate(
        """text => {
          const passage = document.getElementById("passage");
          const node = [...passage.childNodes].find(node => node.textContent.includes(text));
          const start = node.textContent.indexOf(text), range = document.createRange();
          const within = node.firstChild ?? node;
          range.setStart(within, start); range.setEnd(within, start + text.length);
          passage.focus(); getSelection().removeAllRanges(); getSelection().addRange(range);
        }""",
        text,
    )
    wait_for_frame(page)


def focused(page):
    return page.evaluate("document.activeElement.id")


def follow(page, name):
    """Follow a link. The next page is ready for keys when its script has run."""
    with page.expect_navigation():
        page.get_by_role("link", name=name, exact=True).click()


def open_passage(page):
    with page.expect_navigation():
        page.get_by_role("link", name="About harbour").click()


def test_a_question_is_refused_another_accepted_validated_and_exported(visit, check_page, addresses, opened, tmp_path):
    ada = visit(addresses[0])
    check_page(ada, "collect-sign-in")
    sign_in(ada, "Ada")
    check_page(ada, "collect-passages")
    follow(ada, "instructions")
    check_page(ada, "collect-instructions")
    follow(ada, "To the passages")
    open_passage(ada)

    # The mouse marks part of a name, which is widened to whole words; the model answers when Ada submits.
    ada.get_by_label("Question", exact=True).fill(EASY)
    select(ada, "omas Rei")
    ada.keyboard.press("a")
    assert ada.locator("#passage mark").inner_text() == "Tomas Reik"
    visit.expect("status of 422")
    with ada.expect_navigation():
        ada.get_by_role("button", name="Submit").click()
    assert "The model answers this question" in ada.get_by_role("alert").inner_text()
    assert focused(ada) == "faults"
    assert "Tomas Reik" in ada.locator("#refused-answer").inner_text()
    check_page(ada, "collect-refused")

    # The marked answer is still there; the keyboard alone submits the better question.
    ada.get_by_label("Question", exact=True).fill(GOOD)
    with ada.expect_navigation():
        ada.keyboard.press("Control+Enter")
    ada.get_by_text("The question is saved.").wait_for()
    assert focused(ada) == "question"
    (question,) = opened.state().questions
    assert [HARBOUR[start:end] for start, end in question.written.spans] == ["Tomas Reik"]

    bo = visit(addresses[0])
    sign_in(bo, "Bo")
    follow(bo, "Validate")
    assert "Tomas Reik" not in bo.locator("main form").last.inner_text()
    # Without a mouse: the answer is typed and found.
    bo.get_by_label("Find in the passage").fill("tomas reik")
    bo.keyboard.press("Enter")
    assert bo.get_by_label("the passage gives one answer").is_checked()
    check_page(bo, "collect-validate")
    with bo.expect_navigation():
        bo.keyboard.press("Control+Enter")
    bo.get_by_text("Nothing waits for you").wait_for()

    assert export_questions(opened, tmp_path, opened.state(), confirmed=True).questions == 1
    exported = json.loads((tmp_path / "questions.json").read_text())
    (asked,) = exported["data"][0]["paragraphs"][0]["qas"]
    assert asked["question"] == GOOD
    assert asked["answers"] == [{"text": "Tomas Reik", "answer_start": HARBOUR.index("Tomas")}]

    owner = visit(addresses[1])
    assert EASY in owner.locator("main").inner_text()
    check_page(owner, "collect-progress")


def test_an_unsent_question_survives_a_closed_tab_and_several_places_are_offered(visit, addresses):
    cy = visit(addresses[0])
    sign_in(cy, "Cy")
    open_passage(cy)
    address = cy.url
    cy.get_by_label("Question", exact=True).fill("Which word precedes many nouns")
    cy.get_by_label("Find in the passage").fill("the")
    cy.get_by_role("button", name="Find").click()
    assert "5 places" in cy.locator("#told").inner_text()
    cy.keyboard.press("Enter")
    cy.get_by_role("button", name="Remove the").wait_for()
    context = cy.context
    cy.close()
    again = context.new_page()
    again.goto(address)
    assert again.get_by_label("Question", exact=True).input_value() == "Which word precedes many nouns"
    assert again.locator("#passage mark").inner_text() == "the"
    select(again, "steel was")
    again.get_by_role("button", name="Add the selected").click()
    assert again.locator("#passage mark").count() == 2
    again.get_by_role("button", name="Remove steel was").click()
    again.evaluate("getSelection().selectAllChildren(document.getElementById('passage'))")
    wait_for_frame(again)
    again.get_by_role("button", name="Add the selected").click()
    assert "overlaps the marked answer “the”" in again.locator("#told").inner_text()
    again.get_by_role("button", name="Remove the").click()
    assert again.locator("#passage mark").count() == 0
    assert again.locator("#passage").evaluate("passage => passage.textContent") == HARBOUR


def test_without_javascript_an_answer_is_typed(visit, addresses, opened):
    di = visit(addresses[0], java_script_enabled=False)
    sign_in(di, "Di")
    open_passage(di)
    di.get_by_label("Question", exact=True).fill("Whose sibling made what fell apart?")
    di.get_by_label("Answer, as the passage has it").fill("tomas reik")
    di.get_by_role("button", name="Submit").click()
    di.get_by_text("The question is saved.").wait_for()
    assert opened.state().questions[-1].writer == "Di"


def test_a_marked_answer_survives_a_dead_server_and_a_closed_tab(tmp_path, visit):
    opened, access = collection_folder(tmp_path), Access.fresh()
    write(opened, "Ada", PASSAGES[0], GOOD, "Tomas Reik")
    listener = Listener()
    with running(collecting_app(opened, Answerer(None, print), access, listener), listener):
        bo = visit(listener.address(access.reader))
        sign_in(bo, "Bo")
        follow(bo, "Validate")
        bo.get_by_label("Find in the passage").fill("jonas")
        bo.keyboard.press("Enter")
        bo.set_viewport_size({"width": 390, "height": 844})
        for target in bo.locator("label.option, main button:visible").all():
            assert target.bounding_box()["height"] >= 44
        context, address = bo.context, bo.url
        bo.close()
        bo = context.new_page()
        bo.goto(address)
        assert bo.locator("#passage mark").inner_text() == "Jonas"
    visit.expect("ERR_CONNECTION")
    bo.get_by_role("button", name="Save and go on").click()
    bo.get_by_text("Not saved: the server does not answer.").wait_for()
    listener = Listener(port=listener.port)
    with running(collecting_app(opened, Answerer(None, print), access, listener), listener):
        bo.get_by_text("Nothing waits for you").wait_for()
    (question,) = opened.state().questions
    assert [HARBOUR[slice(*given)] for given in question.validations["Bo"].spans] == ["Jonas"]
