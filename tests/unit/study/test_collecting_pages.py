"""The pages of ``collect`` over HTTP, as a browser without JavaScript uses them: what is saved, refused, and never shown."""

import re
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient
from wdw_study.collection.adversary_worker import AdversaryAnswer, Answerer
from wdw_study.collection.passages import Passage
from wdw_study.collection.question_state import WRITTEN, Written
from wdw_study.web.base import Access
from wdw_study.web.collect import collect_app
from wdw_study.web.collect.review_pages import sample

from support.collected import CHOIR, HARBOUR, PASSAGES, FakeAdversary, collection_folder, write

GOOD = "Who said how old the steel was?"
ACCESS = Access("reader-token-for-tests", "owner-token-for-tests", "cookie-key-for-tests")
LISTENER = SimpleNamespace(port=8000, loopback=True)
EVIL = "<script>alert('x')</script>"


class Visitor:
    """A browser of one person."""

    def __init__(self, app, name, passphrase="", token=ACCESS.reader):
        self.client = TestClient(app, base_url="http://127.0.0.1")
        self.client.get("/enter", params={"token": token})
        self.signed_in = self.post("/sign-in", name=name, passphrase=passphrase)

    def get(self, path):
        return self.client.get(path)

    def post(self, path, **fields):
        page = self.client.get("/instructions").text
        csrf = re.search(r'name="csrf" value="([^"]+)"', page)[1]
        return self.client.post(path, data={"csrf": csrf, **fields})

    def write(self, passage="harbour", question=GOOD, answers="Tomas Reik", **fields):
        return self.post(f"/passages/{passage}", question=question, answers=answers, **fields)


@pytest.fixture
def opened(tmp_path):
    return collection_folder(tmp_path / "invented")


@pytest.fixture
def model():
    return FakeAdversary(
        {"Who is known to them as the tenor?": ("Bela Fenn",), "Who broke it?": ValueError("out of memory")}
    )


@pytest.fixture
def app(opened, model):
    return collect_app(opened, Answerer(model, lambda message: None), ACCESS, LISTENER)


@pytest.fixture
def ada(app):
    return Visitor(app, "Ada")


@pytest.fixture
def bo(app):
    return Visitor(app, "Bo")


def questions(opened):
    return [question.written.question for question in opened.state().questions]


# ---- signing in ----------------------------------------------------------------------------------------------------------


def test_pages_need_a_name(app):
    nobody = TestClient(app, base_url="http://127.0.0.1")
    assert nobody.get("/").status_code == 403
    nobody.get("/enter", params={"token": ACCESS.reader})
    assert nobody.get("/passages/harbour", follow_redirects=False).headers["location"] == "/sign-in"


def test_a_name_with_a_passphrase_is_its_owners_whatever_the_case(app, opened):
    Visitor(app, "Mira", "correct horse")
    assert Visitor(app, "MIRA", "wrong").signed_in.status_code == 422
    assert Visitor(app, "mira", "").signed_in.status_code == 422
    assert "Signed in as <b>Mira</b>" in Visitor(app, "mira", "correct horse").get("/").text
    assert "correct horse" not in (opened.folder / "events.sqlite").read_bytes().decode("latin-1")


def test_whoever_takes_a_name_in_use_is_told_once(app, ada):
    assert "Welcome back" not in ada.signed_in.text
    again = Visitor(app, "Ada")
    assert "Welcome back, Ada: somebody has signed in under this name before." in again.signed_in.text
    assert "Welcome back" not in again.get("/").text


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\u202eb", "a\x07b", "(all)", "=1+1"])
def test_a_name_must_be_short_and_printable(app, name):
    visitor = Visitor(app, name)
    assert visitor.signed_in.status_code == 422
    assert 'role="alert"' in visitor.signed_in.text


# ---- writing -------------------------------------------------------------------------------------------------------------


def test_a_good_question_is_saved_with_what_the_adversary_answered(ada, opened):
    answer = ada.write(question="Whose words on steel were reported?")
    assert answer.url.query == b"saved=yes"
    (question,) = opened.state().questions
    assert question.writer == "Ada"
    assert HARBOUR[slice(*question.written.spans[0])] == "Tomas Reik"
    assert question.written.adversary.identity == "fake 1"


def test_a_question_that_the_adversary_answers_is_refused_with_its_answer_and_kept_in_the_log(ada, opened):
    answer = ada.write("choir", "Who is known to them as the tenor?", "Bela Fenn")
    assert answer.status_code == 422
    assert "The model’s answer: <b>Bela Fenn</b>" in answer.text
    assert "Who is known to them as the tenor?</textarea>" in answer.text
    assert questions(opened) == []
    (attempt,) = opened.state().refused
    assert (attempt.refused.rules, attempt.refused.adversary.spans) == (("adversary",), ("Bela Fenn",))


def test_a_question_is_saved_unchecked_when_the_adversary_fails(ada, opened):
    assert ada.write(question="Who broke it?").url.query == b"saved=unchecked"
    assert opened.state().questions[0].written.adversary is None


def test_offsets_of_a_browser_are_turned_into_code_points(ada, opened):
    start = CHOIR.index("Bela") + 1  # the note before it is two UTF-16 units
    ada.write("choir", "Whose voice did the leader like?", "", spans=f"{start}-{start + 9}")
    (question,) = opened.state().questions
    assert CHOIR[slice(*question.written.spans[0])] == "Bela Fenn"
    page = ada.get(f"/passages/choir?edit={question.id}").text
    assert f'data-spans="{start}-{start + 9}"' in page


@pytest.mark.parametrize("spans", ["x", "1", "-1-4", "4-1", "0-99999", "1-2-3", "9" * 5000])
def test_damaged_offsets_are_refused(ada, opened, spans):
    assert ada.write(answers="", spans=spans).status_code == 422
    assert questions(opened) == []


def test_typed_answers_take_different_places(ada, opened):
    ada.write(question="Which words precede nouns here?", answers="the\nthe\n")
    assert len(set(opened.state().refused[0].refused.spans)) == 2


def test_an_answer_is_saved_without_punctuation_at_its_ends(ada, opened):
    start = CHOIR.index("Bela") + 1
    ada.write("choir", "Whose voice did the leader like?", "", spans=f"{start - 1}-{start + 9}")
    (question,) = opened.state().questions
    assert CHOIR[slice(*question.written.spans[0])] == "Bela Fenn"


def test_a_saved_question_is_shown_with_what_to_check(ada):
    answer = ada.write(question="Whose brother did he call the maker?", answers="the steel")
    assert "“the steel” is no name" in answer.text
    assert "whom “he” stands for" in answer.text
    assert "is no name" not in ada.get("/passages/harbour").text


def test_live_checks_name_rules_and_the_adversarys_answer(ada):
    checked = ada.post("/passages/choir/ask", question="Who is known to them as the tenor?", answers="Fenn").json()
    assert (checked["state"], checked["answer"], checked["f1"]) == ("answered", ["Bela Fenn"], 1.0)
    assert any("model answers" in fault for fault in checked["faults"])
    assert ada.post("/passages/choir/ask", question="").json()["state"] == "none"


def test_a_near_copy_names_the_earlier_question(ada, bo, opened):
    ada.write()
    answer = bo.write(question="And who said how old the steel was?")
    assert f"Earlier: {GOOD}" in answer.text
    assert len(questions(opened)) == 1


def test_a_question_is_edited_deleted_and_restored_by_its_writer_alone(ada, bo, opened):
    ada.write()
    name = opened.state().questions[0].id
    assert bo.post(f"/questions/{name}/delete").status_code == 404
    assert bo.write(editing=name).status_code == 404
    assert bo.get(f"/passages/harbour?edit={name}").status_code == 404
    assert ada.write("choir", "Whose voice did she like?", "Bela Fenn", editing=name).status_code == 404
    assert ada.get(f"/passages/choir?edit={name}").status_code == 404
    ada.write(question="Who told them how old the steel was?", editing=name)
    assert questions(opened) == ["Who told them how old the steel was?"]
    ada.post(f"/questions/{name}/delete")
    assert questions(opened) == []
    assert bo.post("/undo", group="writing").status_code == 422
    ada.write("choir", "Whose voice did she like?", "Bela Fenn")
    ada.post("/undo", group="writing", passage="harbour")
    ada.post("/undo", group="writing", passage="harbour")
    assert questions(opened) == [GOOD, "Whose voice did she like?"]


# ---- what others see -------------------------------------------------------------------------------------------------------


def test_a_validator_sees_neither_answer_nor_writer_and_never_her_own_questions(ada, bo, opened):
    ada.write(question="Whose words on steel were reported?", answers="Jonas")
    opened.log.append("Ada", "noise")
    assert "Nothing waits" in ada.get("/validate").text
    page = bo.get("/validate").text
    form = page[page.index('<h2 id="asked"') :]
    assert "Whose words on steel were reported?" in form
    assert "Jonas" not in form
    assert "Ada" not in page
    question = opened.state().questions[0]
    own = ada.post("/validate", question=question.id, version=question.version, verdict="broken")
    assert own.status_code == 403


def test_a_validation_needs_a_verdict_and_an_answer_only_if_there_is_one(ada, bo, opened):
    ada.write()
    question = opened.state().questions[0]
    asked = {"question": question.id, "version": question.version}
    assert bo.post("/validate", **asked).status_code == 422
    assert bo.post("/validate", **asked, verdict="answerable").status_code == 422
    assert bo.post("/validate", **asked | {"version": 0}, verdict="broken").status_code == 422
    bo.post("/validate", **asked, verdict="answerable", answers="Tomas Reik")
    assert opened.state().questions[0].validations["Bo"].verdict == "answerable"
    assert "Nothing waits" in bo.get("/validate").text
    assert "· confirmed" in ada.get("/passages/harbour").text
    bo.post("/undo", group="validating")
    assert opened.state().questions[0].validations == {}
    assert "waiting for a second person" in ada.get("/passages/harbour").text


def test_the_writer_sees_why_a_question_is_not_confirmed_but_not_by_whom(app, ada, bo, opened):
    ada.write()
    question = opened.state().questions[0]
    asked = {"question": question.id, "version": question.version}
    bo.post("/validate", **asked, verdict="answerable", answers="Jonas")
    Visitor(app, "Cyra").post("/validate", **asked, verdict="ambiguous")
    page = ada.get("/passages/harbour").text
    assert "1 person: marked another answer" in page
    assert "1 person: several answers are right, or none" in page
    assert "Cyra" not in page
    assert "Once you change it, it must be validated again" in ada.get(f"/passages/harbour?edit={question.id}").text


def test_a_question_that_was_edited_while_somebody_validated_it_is_shown_again(ada, bo, opened):
    ada.write()
    question = opened.state().questions[0]
    asked = {"question": question.id, "version": question.version, "verdict": "broken"}
    bo.post("/validate", **asked)
    ada.write(question="Who told them how old the steel was?", editing=question.id)
    answer = bo.post("/validate", **asked)
    assert "The writer changed this question while you answered it" in answer.text
    assert "Who told them how old the steel was?" in answer.text
    assert "You validated this question before its writer changed it" in bo.get("/validate").text
    changed = bo.post("/label", question=question.id, version=question.version, phenomena=["nominal"])
    assert "The writer changed this question while you labelled it" in changed.text
    ada.post(f"/questions/{question.id}/delete")
    for page in ("/validate", "/label"):
        assert "Its writer deleted this question" in bo.post(page, **asked).text
    assert opened.state().questions == ()


def test_a_validation_is_final_once_the_page_for_labels_showed_the_answer(ada, bo, opened):
    ada.write()
    question = opened.state().questions[0]
    asked = {"question": question.id, "version": question.version, "verdict": "answerable"}
    # Until then it can be changed.
    for answers in ("Ines Dahl", "Jonas"):
        assert bo.post("/validate", **asked, answers=answers).status_code == 200
    assert "Undo my last validation" in bo.get("/validate").text
    assert "Answer: <b>Tomas Reik</b>" in bo.get("/label").text
    given = opened.state().questions[0].validations["Bo"]
    assert bo.post("/validate", **asked, answers="Tomas Reik").status_code == 409
    assert bo.post("/undo", group="validating").status_code == 422
    assert "Undo my last validation" not in bo.get("/validate").text
    assert opened.state().questions[0].validations == {"Bo": given}
    assert HARBOUR[slice(*given.spans[0])] == "Jonas"


def test_whoever_knows_the_answer_is_not_asked_to_validate_the_changed_question(ada, bo, opened):
    ada.write()
    question = opened.state().questions[0]
    bo.post("/validate", question=question.id, version=question.version, verdict="broken")
    bo.get("/label")
    ada.write(question="Who told them how old the steel was?", editing=question.id)
    assert "Nothing waits for you" in bo.get("/validate").text
    version = opened.state().questions[0].version
    answered = bo.post("/validate", question=question.id, version=version, verdict="answerable", answers="Tomas Reik")
    assert answered.status_code == 409
    assert opened.state().questions[0].validations == {}


def test_skipped_questions_come_last(bo, opened):
    names = [write(opened, "Ada", PASSAGES[0], f"Who spoke {number}?", "Jonas") for number in range(3)]

    def shown(page):
        return re.search(r'name="question" value="([^"]+)"', page)[1], re.search(r'href="([^"]*skip=[^"]+)"', page)[1]

    seen, address = [], "/validate"
    for _ in range(4):
        name, address = shown(bo.get(address).text)
        seen.append(name)
    assert seen == [*names, names[0]]
    saved = bo.post("/validate", question=names[1], version=names[1].split("-")[1], verdict="broken", skip=names[0])
    assert shown(saved.text)[0] == names[2]
    assert "Saved." in saved.text


def test_labels_are_saved_for_the_sample_that_the_owner_sets_and_nobody_sees_an_answer_before_she_validates(
    app, bo, opened
):
    for number in range(3):
        write(opened, "Ada", PASSAGES[0], f"Who spoke {number}?", "Jonas")
    owner = Visitor(app, "Oda", token=ACCESS.owner)
    owner.post("/progress", sample="1")
    (drawn,) = sample(SimpleNamespace(opened=opened), opened.state())
    form = {"question": drawn.id, "version": drawn.version}
    assert bo.post("/label", **form, phenomena=["nominal"]).status_code == 403
    page = bo.get("/label").text
    assert "Validate</a> the other questions first" in page
    assert "Jonas" not in page
    bo.post("/validate", **form, verdict="ambiguous")
    page = bo.get("/label").text
    assert "0 of 1 questions" in page
    assert "Answer: <b>Jonas</b>" in page
    bo.post("/label", **form, phenomena=["pronominal", "unheard-of"])
    (labelled,) = [question.labels for question in opened.state().questions if question.labels]
    assert labelled["Bo"].phenomena == ("pronominal",)
    assert "whole sample" in bo.get("/label").text
    for unclear in ([], ["nominal", "none of these"]):
        assert "Tick the labels that apply" in bo.post("/label", **form, phenomena=unclear).text
    bo.post("/label", **form, phenomena=["none of these"])
    (labelled,) = [question.labels for question in opened.state().questions if question.labels]
    assert labelled["Bo"].phenomena == ()
    assert owner.post("/progress", sample="0").status_code == 422


def test_only_the_owner_sees_progress_and_refused_attempts(app, ada):
    ada.write("choir", "Who is known to them as the tenor?", "Bela Fenn")
    assert ada.get("/progress").status_code == 403
    assert "/progress" not in ada.get("/").text
    page = Visitor(app, "Oda", token=ACCESS.owner).get("/progress").text
    assert "Who is known to them as the tenor?" in page
    assert "model: Bela Fenn" in page


def test_the_owner_sees_progress_without_signing_in_and_is_not_among_the_people(app, opened):
    write(opened, "Ada", PASSAGES[0], "Which two are brothers?", "Jonas")
    owner = TestClient(app, base_url="http://127.0.0.1")
    opening = owner.get("/enter", params={"token": ACCESS.owner})
    assert opening.url.path == "/progress"
    assert "(owner)" not in opening.text
    csrf = re.search(r'name="csrf" value="([^"]+)"', opening.text)[1]
    assert owner.post("/progress", data={"csrf": csrf, "sample": "7"}).status_code == 200
    assert "(owner)" not in owner.get("/progress").text
    assert owner.get("/validate").url.path == "/sign-in"


def test_progress_shows_the_name_of_the_adversary_and_its_models_on_demand(app, opened):
    answer = AdversaryAnswer("shallow spans 1, weights ab; spacy 3", ("nothing",), 0.5)
    written = Written("Which two are brothers?", ((0, 9),), answer)
    opened.log.append("Ada", WRITTEN, "harbour", written)
    page = Visitor(app, "Oda", token=ACCESS.owner).get("/progress").text
    assert "<summary>shallow spans 1</summary>shallow spans 1, weights ab; spacy 3</details>" in page


def test_texts_of_the_corpus_and_of_people_are_escaped(tmp_path, model):
    text = f"{EVIL} He met Ines Dahl. She left. They saw Bo Reik."
    hostile = Passage(id="evil", article=EVIL, title=EVIL, date="", source=EVIL, text=text, sentences=())
    opened = collection_folder(tmp_path, [hostile])
    app = collect_app(opened, Answerer(model, print), ACCESS, LISTENER)
    ada, owner = Visitor(app, f"A{EVIL}"[:40]), Visitor(app, "Oda", token=ACCESS.owner)
    ada.write("evil", f"Who saw what {EVIL} asked?", "Bo Reik")
    ada.write("evil", EVIL, "Bo Reik")
    assert questions(opened) == [f"Who saw what {EVIL} asked?"]
    (asked,) = opened.state().questions
    owner.post("/validate", question=asked.id, version=asked.version, verdict="answerable", answers="Bo Reik")
    write(opened, "Ada", hostile, f"Whom did {EVIL} see?", "Ines Dahl")
    for visitor, path in (
        (ada, "/"),
        (ada, "/passages/evil"),
        (owner, "/validate"),
        (owner, "/label"),
        (owner, "/progress"),
    ):
        page = visitor.get(path)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;" in page.text


def test_forms_without_the_sessions_secret_change_nothing(ada, opened):
    for path in ("/passages/harbour", "/passages/harbour/ask", "/undo", "/validate", "/label", "/sign-out"):
        assert ada.client.post(path, data={"question": GOOD, "answers": "Tomas Reik"}).status_code == 403
    assert questions(opened) == []


def test_unknown_passages_are_not_found(ada):
    for path in ("/passages/none", "/passages/none/ask", "/questions/none/delete"):
        assert ada.post(path).status_code == 404


def test_questions_of_people_who_are_put_aside_are_neither_validated_nor_labelled(app, ada, bo, opened):
    ada.write()
    owner = Visitor(app, "Oda", token=ACCESS.owner)
    assert 'Ada <span class="dim">(put aside)' in owner.post("/progress/person", name="Ada", action="aside").text
    assert "Nothing waits for you" in bo.get("/validate").text
    assert sample(SimpleNamespace(opened=opened), opened.state()) == []
    owner.post("/progress/person", name="Ada", action="count")
    assert "Who said how old" in bo.get("/validate").text
