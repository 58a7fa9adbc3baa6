"""What kind of document a text is, on texts written for these tests."""

import msgspec
import pytest

from support.make import raw
from wdw_build.adapters.langid import LangidDetector
from wdw_build.records import Rejection
from wdw_build.stages.ingest.entries import KindShares, rejection_of
from wdw_build.text.document_kinds import KINDS, DocumentKind, judge, kind_of, read_weights

SENTENCES = (
    "Mayor Dalia Hesk told a hearing on Monday that nobody in her office had read the letters.",
    "The bridge fell in January, and eleven people died in the river below it.",
    "The engineer, Tomas Verrell, had asked the city twice to close it, the inquiry was told.",
    "A clerk, Nora Pell, said that she had put both letters on the mayor's desk.",
    "The inquiry will hear the contractor on Tuesday, and it is expected to report in June.",
    "Families of the dead stood outside the town hall and read out names.",
)
GERMAN = (
    "Die Bürgermeisterin von Orrin wurde am Montag zweimal vom Ingenieur gewarnt, sagte die Beamtin dem Ausschuss.",
    "Sie bestritt das am Dienstag. Der Ingenieur zeigte zwei Briefe, die niemand im Rathaus gelesen hatte.",
)
FRENCH = (
    "Le maire de la ville a annoncé lundi que le pont serait fermé pendant six mois, selon le conseil municipal.",
    "Les ingénieurs avaient écrit deux fois, mais personne n'avait lu leurs lettres, ont indiqué les enquêteurs.",
)


def kind(*paragraphs, title="Bridge fell after warnings", **changes):
    article = msgspec.structs.replace(raw("x", paragraphs=paragraphs, **changes), title=title)
    return kind_of(article, LangidDetector().english).kind


def test_a_report_is_a_story_whether_it_is_long_or_short():
    assert kind(*SENTENCES * 4) == "story"
    assert kind(*SENTENCES) == "story"
    assert kind(*SENTENCES[:1]) == "story"
    assert kind("ORRIN, March 3 (AP) - The mayor of Orrin, Dalia Hesk, resigned on Monday.") == "story"


def test_entries_by_time_are_a_running_report():
    entries = [f"{8 + number // 6}.{10 + number % 6 * 7}am: {text}" for number, text in enumerate(SENTENCES * 4)]
    assert kind(*entries, title="Bridge inquiry: live updates") == "running"


@pytest.mark.parametrize("names", [("PELL", "HESK"), ("Q", "A"), ("Nora Pell", "Dalia Hesk")])
def test_speakers_before_most_paragraphs_are_a_transcript(names):
    assert kind(*(f"{names[number % 2]}: {text}" for number, text in enumerate(SENTENCES * 3))) == "transcript"


def test_numbered_names_with_their_posts_are_a_list():
    names = ("Dalia Hesk", "Tomas Verrell", "Nora Pell", "Ivo Kettle", "Abel Quist", "Imogen Lathbury", "Piers Norcott")
    items = (f"{at}. {name} – Secretary" for at, name in enumerate(names, 1))
    assert kind("The following have been appointed:", *items) == "list"


NO_ARTICLES = [
    "Access to this page is denied. Please enable cookies and JavaScript in your browser, and try again.",
    "No article tag found",
    "Content could not be scraped",
    "-",
    "Subscribe to continue reading. Log in with your email address and password.",
]


@pytest.mark.parametrize("text", NO_ARTICLES)
def test_an_error_or_a_question_for_consent_is_no_article(text):
    assert kind(text) == "none"


BRIEFS = ["Nora Pell looks at the ruins of the bridge. Pix by Ivo Kettle", "Watch: Nora Pell reports from the bridge."]


@pytest.mark.parametrize("text", BRIEFS)
def test_a_caption_and_a_blurb_are_briefs(text):
    assert kind(text) == "brief"


def test_other_languages_are_found():
    assert kind(*GERMAN) == "language"
    assert kind(*FRENCH) == "language"


def test_english_is_not_lost_among_foreign_names():
    names = "Xhaferri Ndlovu, Jürgen Größmann, Nguyễn Văn Thành, Łukasz Wójcik and Þóra Guðmundsdóttir"
    assert kind(f"{names} were elected to the council of Großröhrsdorf on Monday, the town said.") == "story"


def test_the_language_of_a_text_with_many_function_words_is_not_asked_for():
    def fail(text):
        raise AssertionError(text)

    assert kind_of(raw("x", paragraphs=SENTENCES), fail).kind == "story"


def test_a_kind_that_the_reader_gives_and_a_text_without_words_are_not_judged():
    assert kind_of(raw("x", kind="advis", paragraphs=("-",)), LangidDetector().english) == DocumentKind("advis", 1.0)
    assert kind_of(raw("x", paragraphs=(" ",)), LangidDetector().english) == DocumentKind("story", 1.0)


def test_there_are_weights_for_each_kind_that_the_model_knows():
    assert read_weights().keys() == KINDS.keys() - {"language"}


def test_the_probabilities_of_the_kinds_decide():
    weights = {"story": {"intercept": 0.0}, "list": {"intercept": 0.0, "items": 4.0}, "none": {"intercept": -1.0}}
    assert judge({"items": 0.0}, weights).kind == "story"
    found = judge({"items": 1.0}, weights)
    assert (found.kind, found.score) == ("list", 0.976)


def test_shares_count_rejections_for_the_kind_and_no_others():
    shares = KindShares()
    for number in range(3):
        pictures = raw(f"r{number}", paragraphs=("In pictures, the bridge: it fell",))
        shares.count(rejection_of(pictures, DocumentKind("brief", 0.9)))
    shares.count(rejection_of(raw("a", kind="advis"), DocumentKind("advis", 1.0)))
    shares.count(Rejection(id="d", reason="no-date", detail="d"))
    assert shares.rows == [("brief", 3, 0.75, "'In pictures, the bridge: it fell' (r0)"), ("advis", 1, 0.25, "a")]
