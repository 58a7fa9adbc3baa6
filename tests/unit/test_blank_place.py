"""A question that contains the marker of the blank itself: every reader, export and page has the blank where it is."""

import json
import re
from types import SimpleNamespace

import msgspec
import pytest

from support import make
from support.served import ACCESS, Browser
from support.sheets import sheet_folder, sheet_problem
from support.tiny_encoder import make_tiny_encoder
from support.toy_pipeline import TOWNS, ListReader, config, events, ports, run_of
from wdw_bench.exports.lm_eval import lm_eval_line
from wdw_bench.exports.question_files import CnnDmExporter, GaReaderExporter
from wdw_bench.problem_file import write_alternatives
from wdw_bench.systems.encoders.inputs import ChoiceInputs, SpanInputs, WordPieces
from wdw_bench.systems.endpoint import ApiConfig
from wdw_bench.systems.endpoint import question as endpoint_question
from wdw_bench.systems.neural.tokens import anonymised_tokens, raw_tokens
from wdw_build.adapters.exports.jsonl import problem_line
from wdw_build.reading.problems import reading_problem
from wdw_build.reading.settings import BenchConfig
from wdw_build.records import SplitAssignment
from wdw_study.judging.draw import sheet_problem as drawn_problem
from wdw_study.web.serving import judging_app

SENTENCE = "After Super Bowl XXX , Ann Fox of XXX Corp told Bo Lee about XXX ."
BEFORE, AFTER = "After Super Bowl XXX , ", " of XXX Corp told Bo Lee about XXX ."
SHOWN = f"{BEFORE}XXX{AFTER}"
ASKED = make.question("q", SENTENCE, "Ann Fox", others=["Bo Lee"])
PROBLEM = make.problem("q", ASKED, "Ann Fox came. Cy Day left.", ["Ann Fox", "Cy Day"], 0)
READ = reading_problem(PROBLEM, ["Ann Fox came.", "Cy Day left."])
PLACED = SplitAssignment(id="q", date=PROBLEM.date, level="strict", split="test")
WORDS = "after super bowl XXX xxx , ann fox of corp told bo lee about . came cy day left".split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_tiny_encoder(tmp_path_factory.mktemp("encoder"), WORDS)


def test_a_problem_as_systems_read_it_knows_where_its_blank_is():
    assert PROBLEM.question.blanked == SHOWN
    assert (READ.before_blank, READ.after_blank, READ.question) == (BEFORE, AFTER, SHOWN)
    assert READ.filled("Cy Day") == f"{BEFORE}Cy Day{AFTER}"
    assert READ.question_tokens[: READ.blank] == tuple(BEFORE.split())
    assert READ.question_tokens[READ.blank + 1 :] == tuple(AFTER.split())
    plain = msgspec.structs.replace(READ, before_blank="Who won the XXX ? ", after_blank="", blank=-1)
    assert (plain.question, plain.filled("Bo")) == ("Who won the XXX ? ", "Who won the XXX ? Bo")


def test_encoders_read_the_choice_or_the_mask_in_the_blank(folder):
    pieces = WordPieces(folder)

    def text(row):
        return " ".join(map(pieces._tokenizer.id_to_token, row.ids)).partition(" [SEP]")[0]

    choice = ChoiceInputs(pieces, 128).encode(READ).rows[1]
    assert text(choice).lower() == f"[cls] {BEFORE}cy day{AFTER}".lower()
    (window,) = SpanInputs(pieces, 128, 16, 4).encode(READ).rows
    assert text(window).lower() == f"[cls] {BEFORE}[mask]{AFTER}".lower()


def test_language_models_read_the_sentence_with_the_marker_in_the_blank():
    assert SHOWN in endpoint_question(ApiConfig(model="m", url="http://127.0.0.1"), READ).prompt


def test_readers_of_tokens_have_the_index_of_the_blank():
    for tokens in (raw_tokens(READ), anonymised_tokens(READ)):
        assert tokens.question[tokens.blank] == "XXX"
        assert tuple(tokens.question[tokens.blank + 1 : tokens.blank + 3]) == ("of", "XXX")


def test_exports_put_the_blank_where_it_is(tmp_path):
    line = problem_line(PROBLEM, PLACED).question
    assert (line.text, line.left, line.right) == (SHOWN, BEFORE, AFTER)
    assert line.tokens.left == tuple(BEFORE.split())
    harness = lm_eval_line(PROBLEM)
    assert harness.question == f"{BEFORE}____{AFTER}"
    assert harness.filled == (SENTENCE, SENTENCE.replace("Ann Fox", "Cy Day"))
    for exporter in (GaReaderExporter(), CnnDmExporter()):
        written = exporter.write(tmp_path, [(PROBLEM, PLACED)])
        content = (tmp_path / next(iter(written))).read_text()
        assert content.splitlines()[4] == f"{BEFORE}@placeholder{AFTER}"


def test_the_pages_mark_the_blank_and_no_other_place(tmp_path):
    problem = sheet_problem(1, question=SHOWN, blank=len(BEFORE))
    assert problem.around_blank == (BEFORE, AFTER)
    # A sheet of an earlier version does not say where the blank is.
    assert sheet_problem(1).around_blank == ("", " told Bob Bell that bridge 1 must close.")
    app = judging_app(sheet_folder(tmp_path, problems=[problem]), ACCESS, SimpleNamespace(port=8000, loopback=True))
    browser = Browser(app)
    browser.sign_in("Eve")
    shown = re.findall(r'<p class="question">(.*?)</p>', browser.get("/problem/1").text)
    assert shown == [f'{BEFORE}<mark class="blank">XXX</mark>{AFTER}']


def test_sheets_and_files_of_problems_are_drawn_with_the_place(tmp_path):
    """The town of every event of the toy corpus is called XXX."""
    articles = [
        msgspec.structs.replace(one, paragraphs=tuple(re.sub("|".join(TOWNS), "XXX", text) for text in one.paragraphs))
        for one in events()
    ]
    run = run_of(tmp_path, ports(reader=ListReader(articles, "XXX")))
    problem = next(iter(run.problems())).problem
    assert "XXX" in problem.question.left
    around = problem.question.left, problem.question.right
    assert drawn_problem(run, 1, problem.id, "passage").around_blank == around
    settings = config(tmp_path, bench=BenchConfig(conditions=("passage",)))
    write_alternatives(settings, [run], tmp_path / "alternatives.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "alternatives.jsonl").read_text().splitlines()]
    assert "XXX".join(around) in [line["question"] for line in lines]
