"""Single modules of NLTK: what is loaded works, and leaves nothing behind."""

import subprocess
import sys

import pytest

from wdw_build.text.sentences import nltk_parts


def test_a_module_is_loaded_without_the_rest_and_nltk_can_be_imported_after_it():
    code = (
        "import sys\nfrom wdw_build.text.sentences.nltk_parts import load\n"
        "punkt = load('nltk.tokenize.punkt')\n"
        "cut = punkt.PunktSentenceTokenizer(punkt.PunktParameters()).tokenize\n"
        "assert cut('He came. She left.') == ['He came.', 'She left.']\n"
        "assert load('nltk.tree').ParentedTree.fromstring('(NP (NNP Ann))').leaves() == ['Ann']\n"
        "assert not [name for name in sys.modules if name.partition('.')[0] in {'nltk', 'scipy', 'sklearn', 'numpy'}]\n"
        "from importlib.util import find_spec\nassert find_spec('nltk.tree') is not None\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_where_nltk_is_loaded_its_own_module_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", sys)
    own = type(sys)("nltk.own")
    monkeypatch.setitem(sys.modules, "nltk.own", own)
    assert nltk_parts.load.__wrapped__("nltk.own") is own


def test_a_module_that_is_not_there_is_an_import_error():
    with pytest.raises(ImportError):
        nltk_parts.load("nltk.nothing_of_the_kind")
    assert not [name for name in sys.modules if name == "nltk.nothing_of_the_kind"]
