"""The persons of a text, as choices show them."""

import re

import pytest

from wdw_build.records import Mention
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.persons import persons_of_text
from wdw_build.text.names.settings import ChoicesConfig


def persons(text, *names, evidence=NO_EVIDENCE):
    """The names of the persons of a text in which the tagger finds ``names``."""
    pattern = "|".join(map(re.escape, names))
    tagged = [Mention(start=found.start(), end=found.end(), text=found[0]) for found in re.finditer(pattern, text)]
    return [person.name for person in persons_of_text(text, tagged, ChoicesConfig(), evidence)]


@pytest.mark.parametrize(
    ("text", "tagged", "shown"),
    [
        ("Ida Moss met Pope Francis.", "Francis", "Pope Francis"),
        ("Ida Moss met King Charles III.", "Charles III", "King Charles III"),
        ("Ida Moss met Lord Tebbit.", "Lord Tebbit", "Lord Tebbit"),
        ("Ida Moss met Mother Teresa.", "Teresa", "Mother Teresa"),
        ("Ida Moss met Prince Owen Ames.", "Owen Ames", "Owen Ames"),
        ("Ida Moss met President Ames.", "Ames", "Ames"),
        ("Ida Moss met Alhaji Owen Ames.", "Alhaji Owen Ames", "Owen Ames"),
        ("Ida Moss met Hon. Barr. Owen Ames.", "Barr. Owen Ames", "Owen Ames"),
        ("Ida Moss met Shri Owen Ames.", "Shri Owen Ames", "Owen Ames"),
    ],
)
def test_a_name_of_one_word_keeps_the_title_that_is_part_of_it(text, tagged, shown):
    assert persons(text, "Ida Moss", tagged) == ["Ida Moss", shown]


def test_a_given_name_alone_is_no_choice():
    assert persons("Ida Moss met her husband Jim.", "Ida Moss", "Jim") == ["Ida Moss"]
    assert persons("Ida Moss met Mr. Scott.", "Ida Moss", "Scott") == ["Ida Moss", "Scott"]
    evidence = NameEvidence(person={"melania moss": 1})
    assert persons("Ida Moss met Mr. Melania.", "Ida Moss", "Melania", evidence=evidence) == ["Ida Moss", "Melania"]
    assert persons("Ida Moss met his wife Inuka.", "Ida Moss", "Inuka") == ["Ida Moss"]


def test_a_monks_title_after_the_name_does_not_tell_two_persons_apart():
    text = "Ida Moss met Somarama Thero. Talduwe Somarama left."
    assert persons(text, "Ida Moss", "Somarama Thero", "Talduwe Somarama") == ["Ida Moss", "Talduwe Somarama"]


def test_words_run_together_are_no_person():
    assert persons("Ida Moss met S. AmesIndiaNew.", "Ida Moss", "S. AmesIndiaNew") == ["Ida Moss"]
    assert persons("Ida Moss met S. HarrowIndia.", "Ida Moss", "S. HarrowIndia") == ["Ida Moss"]
    for name in ("LaToya DiCaprio", "Lucía Montalbán"):
        assert persons(f"Ida Moss met {name}.", "Ida Moss", name) == ["Ida Moss", name]


def test_a_person_who_only_reports_is_no_choice():
    assert persons("Ida Moss told CNN's Cleo Cole so.", "Ida Moss", "Cleo Cole") == ["Ida Moss"]
