"""The persons of a text, as choices show them."""

import re

import pytest

from support.tables import rows
from wdw_build.records import Mention
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.persons import persons_of_text
from wdw_build.text.settings import ChoicesConfig


def entities(text, *names, evidence=NO_EVIDENCE):
    """The persons of a text in which the tagger finds ``names``."""
    pattern = "|".join(map(re.escape, names))
    tagged = [Mention(start=found.start(), end=found.end(), text=found[0]) for found in re.finditer(pattern, text)]
    return persons_of_text(text, tagged, ChoicesConfig(), evidence)


def persons(text, *names, evidence=NO_EVIDENCE):
    """The names of the persons of a text in which the tagger finds ``names``."""
    return [person.name for person in entities(text, *names, evidence=evidence)]


TITLED = [
    ("Ida Moss met Pope Francis.", "Francis", "Pope Francis"),
    ("Ida Moss met King Charles III.", "Charles III", "King Charles III"),
    ("Ida Moss met Lord Tebbit.", "Lord Tebbit", "Lord Tebbit"),
    ("Ida Moss met Mother Teresa.", "Teresa", "Mother Teresa"),
    ("Ida Moss met Prince Owen Ames.", "Owen Ames", "Owen Ames"),
    ("Ida Moss met President Ames.", "Ames", "Ames"),
    ("Ida Moss met Alhaji Owen Ames.", "Alhaji Owen Ames", "Owen Ames"),
    ("Ida Moss met Hon. Barr. Owen Ames.", "Barr. Owen Ames", "Owen Ames"),
    ("Ida Moss met Shri Owen Ames.", "Shri Owen Ames", "Owen Ames"),
]


@pytest.mark.parametrize(("text", "tagged", "shown"), TITLED)
def test_a_name_of_one_word_keeps_the_title_that_is_part_of_it(text, tagged, shown):
    assert persons(text, "Ida Moss", tagged) == ["Ida Moss", shown]


def test_a_mention_has_the_title_that_is_part_of_the_name():
    text = "Ida Moss met Pope Francis. Then Francis left Ida Moss, and the Holy Father, Pope Francis, slept."
    _, pope = entities(text, "Ida Moss", "Francis")
    assert [text[one.start : one.end] for one in pope.mentions] == ["Pope Francis", "Francis", "Pope Francis"]


def test_a_given_name_alone_is_no_choice():
    assert persons("Ida Moss met her husband Jim.", "Ida Moss", "Jim") == ["Ida Moss"]
    assert persons("Ida Moss met Mr. Scott.", "Ida Moss", "Scott") == ["Ida Moss", "Scott"]
    evidence = NameEvidence(person={"melania moss": 1})
    assert persons("Ida Moss met Mr. Melania.", "Ida Moss", "Melania", evidence=evidence) == ["Ida Moss", "Melania"]
    assert persons("Ida Moss met his wife Inuka.", "Ida Moss", "Inuka") == ["Ida Moss"]


# Text, the names that are tagged in it beside Ida Moss, and the other persons.
MADE = """
Ida Moss met Somarama Thero. Talduwe Somarama left. | Somarama Thero, Talduwe Somarama | Talduwe Somarama
Ida Moss met S. AmesIndiaNew. | S. AmesIndiaNew |
Ida Moss met S. HarrowIndia. | S. HarrowIndia |
Ida Moss met LaToya DiCaprio. | LaToya DiCaprio | LaToya DiCaprio
Ida Moss met Lucía Montalbán. | Lucía Montalbán | Lucía Montalbán
Ida Moss told CNN's Cleo Cole so. | Cleo Cole |
Ida Moss left. W.D.J. Ames left. John Ames slept. | W.D.J. Ames, John Ames | John Ames
Ida Moss left. O.J. Ames's ex-wife, Nicole Brown Ames, died. O.J. Ames bought a knife. Brown Ames had left.
    | O.J. Ames, Nicole Brown Ames, Brown Ames | O.J. Ames, Nicole Brown Ames
"""


@pytest.mark.parametrize(("text", "tagged", "shown"), rows(MADE))
def test_a_monks_title_makes_no_person_and_neither_do_joined_words_and_reporters(text, tagged, shown):
    assert ", ".join(persons(text, "Ida Moss", *tagged.split(", "))) == ", ".join(filter(None, ("Ida Moss", shown)))


SECOND_NAMES = [
    ("Cleo Cole, whose real name is Owen Beck, met Ida Moss.", ["Cleo Cole", "Ida Moss"]),
    ("Cleo Cole, the singer known as Owen Beck, met Ida Moss.", ["Cleo Cole", "Ida Moss"]),
    ("Owen Beck, also known as Cleo Cole, met Ida Moss. Cole left.", ["Cleo Cole", "Ida Moss"]),
    ("Cleo Cole (born Owen Beck) met Ida Moss.", ["Cleo Cole", "Ida Moss"]),
    ("Ida Moss met the singer, born Owen Beck, in Tarn.", ["Ida Moss", "Owen Beck"]),
    ("Ida Moss was born in Tarn. Later she served as Owen Beck's aide.", ["Ida Moss", "Owen Beck"]),
    ("Ida Moss knew the real name of Owen Beck.", ["Ida Moss", "Owen Beck"]),
    ("Ida Moss knew him as Owen Beck.", ["Ida Moss", "Owen Beck"]),
]


@pytest.mark.parametrize(("text", "shown"), SECOND_NAMES)
def test_a_second_name_that_the_text_explains_is_no_choice(text, shown):
    assert persons(text, "Cleo Cole", "Owen Beck", "Ida Moss", "Cole") == shown
