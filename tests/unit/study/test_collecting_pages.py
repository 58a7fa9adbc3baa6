"""The pages of ``collect`` over HTTP, as a browser without JavaScript uses them: what is saved, refused, and never shown."""

import re
from types import SimpleNamespace

import pytest

from support.collected import CHOIR, HARBOUR, PASSAGES, FakeAdversary, collection_folder, write
from support.served import ACCESS, Browser
from wdw_study.collecting.passages import Passage
from wdw_study.collecting.questions import Answerer
from wdw_study.web.serving import collecting_app

GOOD, TENOR = "Who said how old the steel was?", "Who is known to them as the tenor?"
LISTENER = SimpleNamespace(port=8000, loopback=True)
EVIL = "<script>alert('x')</script>"


class Visitor(Browser):
    """A browser of one person."""

    def __init__(self, app, name, token=ACCESS.reader):
        super().__init__(app, token)
        self.sign_in(name)

    def write(self, passage="harbour", question=GOOD, answers="Tomas Reik", **fields):
        return self.post(f"/passages/{passage}", question=question, answers=answers, **fields)


@pytest.fixture
def opened(tmp_path):
    return collection_folder(tmp_path)


@pytest.fixture
def model():
    return FakeAdversary({TENOR: ("Bela Fenn",), "Who broke it?": ValueError("out of memory")})


@pytest.fixture
def app(opened, model):
    return collecting_app(opened, Answerer(model, lambda message: None), ACCESS, LISTENER)


@pytest.fixture
def ada(app):
    return Visitor(app, "Ada")


@pytest.fixture
def bo(app):
    return Visitor(app, "Bo")


def questions(opened):
    return [question.written.question for question in opened.state().questions]


# ---- writing -------------------------------------------------------------------------------------------------------------


def test_a_good_question_is_saved_with_what_the_adversary_answered(ada, opened):
    assert ada.write(question="Whose words on steel were reported?").url.query == b"saved=yes"
    (question,) = opened.state().questions
    assert (question.writer, question.written.adversary.identity) == ("Ada", "fake 1")
    assert HARBOUR[slice(*question.written.spans[0])] == "Tomas Reik"


def test_a_question_that_the_adversary_answers_is_refused_with_its_answer_and_kept_in_the_log(ada, opened):
    answer = ada.write("choir", TENOR, "Bela Fenn")
    assert answer.status_code == 422
    assert "The model’s answer: <b>Bela Fenn</b>" in answer.text
    assert f"{TENOR}</textarea>" in answer.text
    assert questions(opened) == []
    (attempt,) = opened.state().refused
    assert (attempt.refused.rules, attempt.refused.adversary.spans) == (("adversary",), ("Bela Fenn",))


def test_a_question_is_saved_unchecked_when_the_adversary_fails(ada, opened):
    assert ada.write(question="Who broke it?").url.query == b"saved=unchecked"
    assert opened.state().questions[0].written.adversary is None


@pytest.mark.parametrize("spans", ["x", "1", "-1-4", "4-1", "0-99999", "1-2-3", "9" * 5000])
def test_damaged_offsets_are_refused(ada, opened, spans):
    assert ada.write(answers="", spans=spans).status_code == 422
    assert questions(opened) == []


def test_an_answer_is_saved_without_punctuation_at_its_ends(ada, opened):
    start = CHOIR.index("Bela") + 1
    ada.write("choir", "Whose voice did the leader like?", "", spans=f"{start - 1}-{start + 9}")
    (question,) = opened.state().questions
    assert CHOIR[slice(*question.written.spans[0])] == "Bela Fenn"


def test_a_question_is_deleted_and_restored_by_its_writer_alone(ada, bo, opened):
    ada.write()
    name = opened.state().questions[0].id
    assert bo.post(f"/questions/{name}/delete").status_code == 404
    ada.post(f"/questions/{name}/delete")
    assert questions(opened) == []
    assert bo.post("/undo", group="writing").status_code == 422
    ada.write("choir", "Whose voice did she like?", "Bela Fenn")
    ada.post("/undo", group="writing", passage="harbour")
    assert questions(opened) == [GOOD, "Whose voice did she like?"]
    ada.post(f"/questions/{name}/delete")
    assert "Its writer deleted this question" in bo.post("/validate", question=name, verdict="broken").text


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
    own = ada.post("/validate", question=opened.state().questions[0].id, verdict="broken")
    assert own.status_code == 403


def test_a_validation_needs_a_verdict_and_an_answer_only_if_there_is_one(ada, bo, opened):
    ada.write()
    asked = {"question": opened.state().questions[0].id}
    assert bo.post("/validate", **asked).status_code == 422
    assert bo.post("/validate", **asked, verdict="answerable").status_code == 422
    bo.post("/validate", **asked, verdict="answerable", answers="Tomas Reik")
    assert opened.state().questions[0].validations["Bo"].verdict == "answerable"
    assert "Nothing waits" in bo.get("/validate").text
    assert "· confirmed" in ada.get("/passages/harbour").text
    bo.post("/undo", group="validating")
    assert opened.state().questions[0].validations == {}
    assert "waiting for a second person" in ada.get("/passages/harbour").text


def test_the_writer_sees_why_a_question_is_not_confirmed_but_not_by_whom(app, ada, bo, opened):
    ada.write()
    asked = {"question": opened.state().questions[0].id}
    bo.post("/validate", **asked, verdict="answerable", answers="Jonas")
    Visitor(app, "Cyra").post("/validate", **asked, verdict="ambiguous")
    page = ada.get("/passages/harbour").text
    assert "1 person: marked another answer" in page
    assert "1 person: several answers are right, or none" in page
    assert "Cyra" not in page


def test_a_question_that_is_skipped_comes_after_the_others(bo, opened):
    names = [write(opened, "Ada", PASSAGES[0], f"Who spoke {number}?", "Jonas") for number in range(3)]
    seen, address = [], "/validate"
    for _ in range(4):
        page = bo.get(address).text
        seen.append(re.search(r'name="question" value="([^"]+)"', page)[1])
        address = re.search(r'href="(/validate[^"]*after=[^"]+)"', page)[1]
    assert seen == [*names, names[0]]


def test_only_the_owner_sees_progress_and_refused_attempts(app, ada):
    ada.write("choir", TENOR, "Bela Fenn")
    assert "/owner" not in ada.get("/").text
    page = Visitor(app, "Oda", token=ACCESS.owner).get("/owner").text
    assert TENOR in page
    assert "model: Bela Fenn" in page


def test_texts_of_the_corpus_and_of_people_are_escaped(tmp_path, model):
    text = f"{EVIL} He met Ines Dahl. She left. They saw Bo Reik."
    hostile = Passage(id="evil", article=EVIL, title=EVIL, date="", source=EVIL, text=text, sentences=())
    opened = collection_folder(tmp_path, [hostile])
    app = collecting_app(opened, Answerer(model, print), ACCESS, LISTENER)
    ada, owner = Visitor(app, f"A{EVIL}"[:40]), Visitor(app, "Oda", token=ACCESS.owner)
    ada.write("evil", f"Who saw what {EVIL} asked?", "Bo Reik")
    ada.write("evil", EVIL, "Bo Reik")
    assert questions(opened) == [f"Who saw what {EVIL} asked?"]
    (asked,) = opened.state().questions
    owner.post("/validate", question=asked.id, verdict="answerable", answers="Bo Reik")
    write(opened, "Ada", hostile, f"Whom did {EVIL} see?", "Ines Dahl")
    for visitor, path in ((ada, "/"), (ada, "/passages/evil"), (owner, "/validate"), (owner, "/owner")):
        page = visitor.get(path)
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "&lt;script&gt;" in page.text


def test_questions_of_people_who_are_put_aside_are_neither_validated_nor_labelled(app, ada, bo, opened):
    ada.write()
    owner = Visitor(app, "Oda", token=ACCESS.owner)
    assert 'Ada <span class="dim">(put aside)' in owner.post("/owner/person", name="Ada", action="aside").text
    assert "Nothing waits for you" in bo.get("/validate").text
    owner.post("/owner/person", name="Ada", action="count")
    assert "Who said how old" in bo.get("/validate").text
