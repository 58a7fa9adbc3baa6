"""annotate: what annotators see and change, what only the owner sees, and what is refused."""

import re
from types import SimpleNamespace

import pytest

from support.served import ACCESS, Browser
from support.sheets import sheet_folder, sheet_problem
from wdw_study.judging.judgements import ADJUDICATED
from wdw_study.judging.score import score
from wdw_study.judging.sheets import FAULTS, judged_of
from wdw_study.web.serving import judging_app

JSON = {"Accept": "application/json"}


class Reader(Browser):
    """A browser of an annotator."""

    def change(self, number, **fields):
        """Change the fields of a problem, as the page's script does."""
        return self.post(f"/problem/{number}", JSON, changed=" ".join(fields), **fields)


@pytest.fixture
def folder(tmp_path):
    return sheet_folder(tmp_path, 4)


def app_of(folder):
    return judging_app(folder, ACCESS, SimpleNamespace(port=8000, loopback=True))


def signed_in(app, name="Eve"):
    browser = Reader(app)
    browser.sign_in(name)
    return browser


@pytest.fixture
def app(folder):
    return app_of(folder)


@pytest.fixture
def reader(app):
    return signed_in(app)


@pytest.fixture
def owner(app):
    return Browser(app, ACCESS.owner)


def choice(page, name):
    """The value of the choice with this name on a page."""
    pattern = r'name="answer" value="([^"]+)"[^>]*>\s*(?:<kbd[^>]*>\d</kbd>)?\s*<span>([^<]+?)\s*</span></label>'
    return next(value for value, shown in re.findall(pattern, page) if shown == name)


def judgement(folder, number, person="Eve"):
    return next(one for one in judged_of(folder).judgements if (one.problem, one.person) == (f"q{number}", person))


# ---- signing in ------------------------------------------------------------------------------------------------------


def test_without_a_name_there_is_only_the_page_to_sign_in(app):
    browser = Browser(app)
    for path in ("/", "/next", "/problem/1", "/done"):
        assert "<h1>Sign in</h1>" in browser.get(path).text


def test_a_page_of_one_person_saves_nothing_for_another_who_signed_in_since(reader, folder):
    reader.sign_in("Fay")
    assert reader.change(1, answer="0", person="Eve").status_code == 409
    assert judged_of(folder).judgements == []


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b", "a\u202eb", "a\x07b", "(all)", "=1+1"])
def test_a_name_that_cannot_be_shown_is_refused(app, folder, name):
    assert Browser(app).sign_in(name).status_code == 422
    assert folder.log.events() == []


def test_names_and_notes_are_escaped(app, owner):
    nasty = "<script>alert(1)</script>"
    browser = signed_in(app, f"A{nasty}")
    browser.change(1, note=nasty, fault="broken-text")
    for page in (browser.get("/"), browser.get("/problem/1"), owner.get("/owner"), owner.get("/owner/problem/1")):
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;alert" in page.text


# ---- answering -------------------------------------------------------------------------------------------------------


def test_a_change_is_in_the_log_before_the_page_says_that_it_is_saved(reader, folder):
    page = reader.get("/problem/2").text
    assert reader.change(2, answer=choice(page, "Bob Beck")).json() == {"status": "answered", "answered": 1}
    assert judgement(folder, 2).answer == 1
    reader.change(2, answer="cannot tell")
    assert (judgement(folder, 2).answer, judgement(folder, 2).answered) == (None, True)
    assert reader.change(2, fault="given-away").json() == {"status": "faulty", "answered": 1}
    reader.change(2, note=" odd ")
    assert (judgement(folder, 2).faults, judgement(folder, 2).note) == (("given-away",), "odd")
    page = reader.get("/problem/2").text
    assert re.search(r'value="cannot tell"[^>]* checked', page)
    assert re.search(r'value="given-away"[^>]* checked', page)
    assert ">odd</textarea>" in page


def test_a_change_that_is_sent_again_is_stored_once(reader, folder):
    before = len(folder.log.events())
    for _ in range(3):
        reader.change(1, answer="0", fault="two-answers", note="x")
    assert len(folder.log.events()) == before + 3


def test_of_two_tabs_the_last_change_of_a_field_wins_and_other_fields_are_left_alone(app, folder, reader):
    signed_in(app).change(1, note="from the other tab")
    reader.post("/problem/1", JSON, changed="fault", fault="two-answers", note="", answer="1")
    kept = judgement(folder, 1)
    assert (kept.note, kept.faults, kept.answered) == ("from the other tab", ("two-answers",), False)


FORGED = [
    ("/problem/1", {"answer": "7"}),
    ("/problem/1", {"answer": "-1"}),
    ("/problem/1", {"fault": "ugly"}),
    ("/problem/1", {"note": "x" * 4001}),
    ("/problem/0", {"answer": "0"}),
    ("/problem/5", {"answer": "0"}),
    ("/problem/x", {}),
]


@pytest.mark.parametrize(("path", "fields"), FORGED)
def test_a_form_that_the_page_cannot_send_changes_nothing(reader, folder, path, fields):
    before = len(folder.log.events())
    assert 400 <= reader.post(path, changed=" ".join(fields), **fields).status_code < 500
    assert len(folder.log.events()) == before


# ---- what is not shown -----------------------------------------------------------------------------------------------


def test_an_annotator_sees_no_key_no_id_no_prediction_and_nothing_of_others(app, tmp_path):
    problem = sheet_problem(1, id="SECRET-ID", split="SECRET-SPLIT", level="SECRET-LEVEL", guesses={"SECRET-BASE": 1})
    folder = sheet_folder(tmp_path / "secret", problems=[problem])
    app = app_of(folder)
    signed_in(app, "SECRET-NAME").change(1, answer="0", note="SECRET-NOTE")
    reader = signed_in(app)
    folder.log.append("Owner", ADJUDICATED, "SECRET-ID", {"answer": 0, "faults": [], "note": "SECRET-NOTE"})
    owners = ("/owner", "/owner/scores", "/owner/disagreements", "/owner/problem/1")
    for path in ("/", "/problem/1", "/next", "/done", *owners):
        page = reader.get(path)
        assert page.status_code == (403 if path in owners else 200)
        assert "SECRET" not in page.text + str(page.headers)
    reader.get("/")
    assert "SECRET" not in reader.change(1, answer="0").text
    assert reader.post("/owner/problem/1", name="Eve", answer="0").status_code == 403


def test_the_condition_decides_whether_there_is_a_passage(tmp_path):
    folder = sheet_folder(tmp_path, problems=[sheet_problem(1, passage="")], condition="without")
    browser = signed_in(app_of(folder))
    page = browser.get("/problem/1").text
    assert 'class="passage"' not in page
    assert "There is no passage to read" in browser.get("/").text
    marks = re.findall(r'name="fault" value="([^"]+)"', page)
    assert marks == [label for label in FAULTS if label not in ("other-event", "no-story")]
    assert browser.change(1, fault="two-answers").status_code == 200
    assert browser.change(1, fault="no-story").status_code == 400


def test_the_task_phenomena_tells_the_answer_and_stores_labels(tmp_path):
    browser = signed_in(app_of(folder := sheet_folder(tmp_path, 2, task="phenomena")))
    page = browser.get("/problem/1").text
    assert "The answer is Ann Ames." in page
    assert 'name="answer"' not in page
    assert browser.change(1, phenomenon=["nominal", "multiple"]).json()["status"] == "answered"
    assert judgement(folder, 1).phenomena == ("nominal", "multiple")
    browser.change(1, answer="0")
    assert judgement(folder, 1).answer is None


# ---- the owner -------------------------------------------------------------------------------------------------------


def test_the_owner_puts_a_person_aside_and_counts_her_again(reader, owner, folder):
    reader.change(1, answer="0")
    owner.get("/owner")
    for action, counted in (("aside", []), ("count", ["Eve"])):
        page = owner.post("/owner/person", name="Eve", action=action).text
        assert "1 of 4" in page
        assert ("(put aside)" in page) == (counted == [])
        assert [person.person for person in score(judged_of(folder)).persons] == counted
    assert owner.post("/owner/person", name="Nobody", action="aside").status_code == 400
    assert owner.post("/owner/person", name="Eve", action="delete").status_code == 400


def test_the_owner_adjudicates_what_people_differ_on_miss_or_mark(app, reader, owner, folder):
    fay = signed_in(app, "Fay")
    for browser, names in ((reader, ["Ann Ames", "Bob Beck", "Bob Beck", "Ann Ames"]), (fay, ["Ann Ames", "Ann Ames"])):
        for number, name in enumerate(names, 1):
            browser.change(number, answer=choice(browser.get(f"/problem/{number}").text, name))
    fay.change(4, fault="two-answers", note="both told it")
    listed = owner.get("/owner/disagreements").text
    cases = [("2", "people differ"), ("3", "nobody chose the key"), ("4", "marked as faulty")]
    assert re.findall(r"Problem (\d)</a></td><td>([^<]+)", listed) == cases
    case = owner.get("/owner/problem/2").text
    assert re.search(r"Ann Ames <span[^>]*>chosen by Fay", case)
    assert re.search(r"Bob Beck <span[^>]*>chosen by Eve", case)
    assert "both told it" in owner.get("/owner/problem/4").text
    assert owner.post("/owner/problem/2", name="Olga").status_code == 400
    assert owner.post("/owner/problem/2", name=" ", answer="0").status_code == 400
    owner.post("/owner/problem/2", name="Olga", answer="1", fault="two-answers", note="see paragraph 2")
    owner.post("/owner/problem/3", name="Olga", answer="none")
    first, second = judged_of(folder).adjudicated
    assert (first.problem, first.person, first.answer, first.faults) == ("q2", "Olga", 1, ("two-answers",))
    assert (second.problem, second.person, second.answer, second.faults) == ("q3", "Olga", None, ())
    assert "2 of 3 decided" in owner.get("/owner/disagreements").text
    assert owner.get("/owner/problem/1").status_code == 404


def test_an_adjudicator_can_decide_that_no_choice_is_right_by_the_value_that_the_page_has(reader, owner, folder):
    reader.change(1, answer="cannot tell")
    page = owner.get("/owner/problem/1").text
    value = re.search(r'value="([^"]+)"[^>]*> <span>none, or it cannot be told', page).group(1)
    assert owner.post("/owner/problem/1", name="Olga", answer=value).url.path == "/owner/disagreements"
    assert [one.answer for one in judged_of(folder).adjudicated] == [None]
    assert re.search(r'value="none" checked', owner.get("/owner/problem/1").text)


def test_only_cases_are_adjudicated_and_only_with_known_labels(reader, owner, folder):
    reader.change(1, fault="two-answers")
    owner.get("/owner/problem/1")
    assert owner.post("/owner/problem/2", name="Olga", answer="0").status_code == 404
    assert owner.post("/owner/problem/1", name="Olga", answer="0", fault="ugly").status_code == 400
    assert judged_of(folder).adjudicated == []


def test_labels_of_phenomena_are_adjudicated_and_scored(tmp_path):
    folder = sheet_folder(tmp_path, 2, task="phenomena")
    for person, labels in (("Eve", ["named"]), ("Fay", ["pronominal", "nominal"])):
        folder.log.append(person, "labelled", "q1", labels)
    owner = Browser(app_of(folder), ACCESS.owner)
    page = owner.get("/owner/problem/1").text
    assert "Which answer is right?" not in page
    assert re.search(r'value="nominal".*given by Fay', page)
    assert owner.post("/owner/problem/1", name="Olga").status_code == 400
    owner.post("/owner/problem/1", name="Olga", phenomenon=["nominal", "named"])
    assert [one.phenomena for one in judged_of(folder).adjudicated] == [("named", "nominal")]
    assert "named, nominal (Olga)" in owner.get("/owner/disagreements").text
    scored = score(judged_of(folder))
    shares = {label: (each.adjudicated.part, each.adjudicated.whole) for label, each in scored.phenomena.items()}
    assert shares["nominal"] == (1, 1)
    assert shares["pronominal"] == (0, 1)
    assert scored.to_adjudicate == {}
    assert "1 of 1" in owner.get("/owner/scores").text


def test_the_owner_sees_which_answers_are_those_of_a_model_and_annotators_see_none(folder, owner, reader):
    name = "(model) tiny"
    folder.log.append(name, "signed-in")
    folder.log.append(name, "answered", "q1", 1)
    folder.log.append(name, "faults", "q1", ["two-answers"])
    assert f">{name}</th>" in owner.get("/owner").text
    assert f">{name}</th>" in owner.get("/owner/scores").text
    assert "marked as faulty by a model" in owner.get("/owner/disagreements").text
    page = owner.get("/owner/problem/1").text
    assert f"chosen by {name}" in page
    assert f"<b>{name}</b>" in page
    assert name not in reader.get("/problem/1").text + reader.get("/").text
