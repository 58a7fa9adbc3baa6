"""The sentence splitter: NLTK's Punkt with the abbreviations of news, loaded without the rest of NLTK."""

import sys

import pytest

from support.interpreter import modules_after
from wdw_build.adapters import punkt
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.errors import MissingResourceError


def test_sentences_end_at_stops_and_paragraphs_but_not_at_abbreviations():
    sentences = PunktSplitter().sentences
    assert sentences("He came. She left.") == ["He came.", "She left."]
    assert sentences("Mr. Smith met Gen. Jones on Oct. 5.") == ["Mr. Smith met Gen. Jones on Oct. 5."]
    assert sentences("Acme Corp. Chairman Jones spoke.") == ["Acme Corp. Chairman Jones spoke."]
    assert sentences("It is in the U.S. Senate.") == ["It is in the U.S. Senate."]
    assert sentences("He asked why? She knew!") == ["He asked why?", "She knew!"]
    assert sentences("No end\n\nOf paragraph") == ["No end", "Of paragraph"]
    assert sentences("One line\nand the next. Two.") == ["One line\nand the next.", "Two."]
    assert sentences("\n\n  \n\n") == []
    assert sentences("") == []


def test_punkt_is_loaded_without_the_rest_of_nltk_which_can_be_imported_afterwards():
    code = (
        "import sys\n"
        "from wdw_build.adapters.punkt import PunktSplitter\n"
        "assert PunktSplitter().sentences('He came. She left.') == ['He came.', 'She left.']\n"
        "assert not {name.partition('.')[0] for name in sys.modules} & {'nltk', 'scipy', 'sklearn', 'numpy'}\n"
        "import nltk.tree\n"
    )
    assert "nltk.tree" in modules_after(code)[1]


def test_where_nltk_is_imported_already_its_own_module_is_used(monkeypatch):
    own = type(sys)("nltk.tokenize.punkt")
    monkeypatch.setitem(sys.modules, "nltk", sys)
    monkeypatch.setitem(sys.modules, "nltk.tokenize", sys)
    monkeypatch.setitem(sys.modules, "nltk.tokenize.punkt", own)
    assert punkt._load_punkt() is own


def test_the_identity_names_the_version_of_nltk_and_without_it_the_error_says_what_to_install(monkeypatch):
    assert PunktSplitter().identity.startswith("punkt, nltk 3.")
    monkeypatch.setattr(punkt, "_PACKAGE", "no-such-nltk")
    with pytest.raises(MissingResourceError) as caught:
        _ = PunktSplitter().identity
    assert "pip install" in caught.value.hint
