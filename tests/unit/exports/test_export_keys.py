"""Keys: they hold no text, ``rebuild`` restores every line byte by byte, and its errors."""

import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from support import awkward_dataset, fakes, make
from support.renaming import ListedProblems, pseudonyms_of
from wdw_build.adapters.exports import key_lines as forms
from wdw_build.adapters.exports.jsonl import JsonlExporter, problem_line
from wdw_build.adapters.exports.keys import KeysExporter, without_folders
from wdw_build.core.progress import Progress
from wdw_build.errors import CheckError, CorpusError, UsageError
from wdw_build.ports import OriginalProblem
from wdw_build.rebuild import Keys, compare, rebuild
from wdw_build.records import Choice, Mention, NameReplacement, Pseudonyms, RenamedPerson, Span, Unreadable, pack_spans


@pytest.fixture
def problems(tmp_path):
    return awkward_dataset.dataset(tmp_path / "stages")


@pytest.fixture
def released(problems, tmp_path):
    """The folder of the keys. The folder full/ beside it holds the complete dataset."""
    return release(problems, tmp_path)


def release(problems, folder):
    """Write the keys and the complete dataset; return the folder of the keys."""
    KeysExporter().write_from(folder / "release", ListedProblems(problems), awkward_dataset.raws())
    JsonlExporter().write(folder / "full", problems)
    return folder / "release" / "keys"


def again(folder, corpus, out, **settings):
    """Rebuild from a corpus; return the articles that do not match."""
    out.mkdir(exist_ok=True)
    return rebuild(Keys(folder), fakes.ListReader(corpus), out, Progress("quiet"), **settings)


@pytest.fixture
def release_with(tmp_path, monkeypatch):
    """Releases the dataset of a corpus in whose texts some stretches are replaced."""

    def released(changes, **settings):
        texts = awkward_dataset.TEXTS
        for old, new in changes.items():
            texts = {name: [text.replace(old, new) for text in parts] for name, parts in texts.items()}
        monkeypatch.setattr(awkward_dataset, "TEXTS", texts)
        return release(awkward_dataset.dataset(tmp_path / "stages", **settings), tmp_path)

    return released


def check_restored(keys, corpus=None):
    """Check that the keys and a corpus (default: the articles of the run) give the complete dataset byte by byte."""
    folder = keys.parent.parent
    assert not again(keys, corpus or awkward_dataset.raws(), folder / "back")
    assert bytes_of(folder / "back") == bytes_of(folder / "full")


def bytes_of(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def by_id(name):
    return next(one for one in awkward_dataset.raws() if one.id == name)


def changed(name, **changes):
    """A corpus in which one article is changed."""
    return [replace(one, **changes) if one.id == name else one for one in awkward_dataset.raws()]


def test_a_corpus_with_damaged_characters_gives_the_same_lines_as_the_run_that_repaired_them(release_with, tmp_path):
    keys = release_with({"ë": "Ã«", "é": "Ã©"})
    assert "Zoë" in (tmp_path / "full" / "jsonl" / "train.jsonl").read_text(encoding="utf-8")
    check_restored(keys)


def test_a_run_that_repaired_nothing_has_its_positions_in_the_articles_as_they_are(release_with):
    check_restored(release_with({"café": "cafÃ©"}, repair_text=False))


def test_the_options_in_the_keys_have_no_folder_of_the_publisher():
    part = {"reader": "csv", "path": "/home/ann/a.csv", "options": {"row_function": "rows/row.py", "quote": "/"}}
    kept = part | {"path": "a.csv"}
    assert without_folders({"parts": [part], "encoding": "utf-8"}) == {"parts": [kept], "encoding": "utf-8"}


# --- the keys ------------------------------------------------------------------------------------------------------------


def words_in_a_row(text, count):
    words = re.findall(r"\w+", text.casefold())
    return {tuple(words[at : at + count]) for at in range(len(words) - count + 1)}


def said_in(folder):
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))


def test_no_five_words_and_no_name_of_the_corpus_stand_in_the_keys(released):
    said = said_in(released)
    corpus = [one for raw in awkward_dataset.raws() for one in (*raw.paragraphs, raw.title)]
    assert not words_in_a_row(said, 5) & set().union(*(words_in_a_row(text, 5) for text in corpus))
    assert not {("ames",), ("beck",), ("harbour",), ("spoke",), ("mayor",)} & words_in_a_row(said, 1)


def test_every_text_in_the_keys_is_an_id_a_date_a_hash_or_a_decision(released):
    found = []

    def collect(value):
        if isinstance(value, str):
            found.append(value)
        for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            collect(one)

    for name in ("problems.jsonl", "articles.jsonl"):
        collect(lines_of(released / name))
    decisions = {"strict", "relaxed", "train", "validation", "test"}
    odd = [one for one in found if one not in decisions | awkward_dataset.TEXTS.keys()]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d|[0-9a-f]{64}", one) for one in odd)
    assert len(odd) == 4 * 2 + 5


def test_the_header_counts_and_hashes_what_is_there(released, problems):
    header = json.loads((released / "keys.json").read_bytes())
    assert (header["format"], header["problems"], header["articles"]) == ("wdw-build keys 5", len(problems), 5)
    for name in ("problems", "articles"):
        assert header[f"{name}_sha256"] == hashlib.sha256((released / f"{name}.jsonl").read_bytes()).hexdigest()
    full = (released.parent.parent / "full" / "jsonl").glob("*.jsonl")
    assert header["dataset"] == {f"jsonl/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in full}


def test_an_articles_hash_is_the_one_that_the_documentation_gives(released):
    told = by_id("told")
    texts = [told.source, told.title, "\n\n".join(told.paragraphs)]
    array = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    hashes = {one["id"]: one["sha256"] for one in lines_of(released / "articles.jsonl")}
    assert hashes["told"] == hashlib.sha256(array.encode()).hexdigest()


# --- rebuilding ----------------------------------------------------------------------------------------------------------


def test_the_dataset_comes_back_byte_by_byte(released, tmp_path):
    check_restored(released)
    compare(Keys(released), tmp_path / "back")


def test_a_choice_that_the_passage_has_in_capitals_comes_back_in_its_usual_case(release_with, tmp_path):
    keys = release_with({"Carl\nCole": "CARL\nCOLE", "Carl Cole": "COLE"})
    assert b'"Carl Cole"' in (tmp_path / "full" / "jsonl" / "train.jsonl").read_bytes()
    check_restored(keys)


def test_order_kind_place_and_date_of_the_articles_do_not_matter(released):
    changes = {"place": "elsewhere:1", "kind": "other", "date": "10 March 2014", "dateline": "D"}
    corpus = [replace(one, **changes) for one in reversed(awkward_dataset.raws())]
    check_restored(released, [Unreadable(place="x:1", error="cut off"), *corpus])


def test_text_cut_out_of_the_middle_of_a_paragraph_leaves_two_stretches(release_with, tmp_path):
    keys = release_with({"Bob Beck. Mr.": "Bob Beck. SHARE THIS STORY WITH ALL YOUR FRIENDS TODAY Mr."})
    assert b"Bob Beck. Mr. Beck" in (tmp_path / "full" / "jsonl" / "train.jsonl").read_bytes()
    assert {tuple(map(len, line["passage"]["text"])) for line in lines_of(keys / "problems.jsonl")} == {(2, 1)}
    check_restored(keys)


@pytest.mark.parametrize("change", [{"title": "U"}, {"source": "EB"}, {"paragraphs": ("Then Ann Ames left.",)}])
def test_another_title_source_or_text_is_another_article(released, tmp_path, change):
    assert again(released, changed("q4", **change), tmp_path / "back").differs == ("q4",)


def test_of_two_articles_with_an_id_the_one_that_was_meant_is_taken(problems, released, tmp_path):
    twin = replace(by_id("told"), title="A later edition", paragraphs=("Nothing of it.",))
    corpus = [twin, *awkward_dataset.raws(), twin]
    KeysExporter().write_from(tmp_path / "twins", ListedProblems(problems), corpus)
    assert bytes_of(tmp_path / "twins" / "keys") == bytes_of(released)
    check_restored(released, corpus)


# --- replaced names ------------------------------------------------------------------------------------------------------


@pytest.fixture
def renaming(problems, tmp_path):
    """The problems with their pseudonyms. Keys are in renamed/keys, the dataset with these names in renamed-full."""
    pseudonyms = {problem.id: pseudonyms_of(problem, ("Bert Brand", "Rick Rose")) for problem, _ in problems}
    listed = ListedProblems(problems, pseudonyms, "codes")
    KeysExporter().write_from(tmp_path / "renamed", listed, awkward_dataset.raws())
    JsonlExporter().write(tmp_path / "renamed-full", listed)
    return tmp_path / "renamed" / "keys"


def test_keys_of_a_renamed_dataset_restore_the_original_names(renaming, problems, tmp_path):
    JsonlExporter().write(tmp_path / "full", problems)
    assert not again(renaming, awkward_dataset.raws(), tmp_path / "back", original=True)
    assert bytes_of(tmp_path / "back" / "jsonl") == bytes_of(tmp_path / "full" / "jsonl")
    compare(Keys(renaming), tmp_path / "back", original=True)
    with pytest.raises(CheckError, match="not the published dataset"):
        compare(Keys(renaming), tmp_path / "back")


def test_rebuilding_tells_the_original_name_of_every_replaced_person(renaming, tmp_path):
    again(renaming, awkward_dataset.raws(), tmp_path / "back")
    names = {line["id"]: line["names"] for line in lines_of(tmp_path / "back" / "names.jsonl")}
    assert set(names["q1"].values()) == {"Ann Ames", "Carl Cole"}
    assert set(names["q3"].values()) == {"Ann Ames", "Zoë Zane", "Carl Cole", "Bert Brand"}
    assert all(name.startswith("@") for each in names.values() for name in each)


def test_keys_of_a_renamed_dataset_hold_no_original_name(renaming):
    words = words_in_a_row(said_in(renaming), 1)
    assert not {("ames",), ("beck",), ("zoë",), ("cole",), ("harbour",), ("spoke",), ("mayor",)} & words


# --- errors --------------------------------------------------------------------------------------------------------------


OTHER_CORPORA = [
    ("told", {"id": "other"}, "q1 and told: the corpus lacks one of them"),
    ("q1", {"paragraphs": ("Another sentence.",)}, "sentence 'Mayor Ann"),
    ("told", {"paragraphs": ("Another passage.",)}, "paragraph 'Ann Ames, the mayor"),
    ("told", {"title": "U"}, "the positions decode to another text"),
]


@pytest.mark.parametrize(("name", "changes", "said"), OTHER_CORPORA)
def test_an_export_from_a_corpus_without_an_article_or_with_another_one_stops(problems, tmp_path, name, changes, said):
    with pytest.raises(CorpusError, match=said) as raised:
        KeysExporter().write_from(tmp_path, ListedProblems(problems), changed(name, **changes))
    assert raised.value.hint.startswith("if the corpus changed since the run")


def edit(path, old, new):
    path.write_bytes(path.read_bytes().replace(old, new, 1))


@pytest.mark.parametrize("name", ["problems.jsonl", "articles.jsonl"])
def test_a_file_of_the_keys_that_was_changed_or_is_gone_is_told(released, name):
    edit(released / name, b'"q1"', b'"q9"')
    with pytest.raises(CorpusError, match=name):
        Keys(released)
    (released / name).unlink()
    with pytest.raises(CorpusError, match=name):
        Keys(released)


def test_a_header_that_is_none_or_of_another_version_is_told(released, tmp_path):
    edit(released / "keys.json", b"wdw-build keys 5", b"wdw-build keys 7")
    with pytest.raises(UsageError, match="keys 7, not wdw-build keys 5"):
        Keys(released)
    (released / "keys.json").write_text("{", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"keys\.json"):
        Keys(released)
    with pytest.raises(UsageError, match="no keys"):
        Keys(tmp_path)


# --- random texts --------------------------------------------------------------------------------------------------------

word = st.text(st.characters(exclude_categories=("Cs", "Z", "Cc"), exclude_characters="\n"), min_size=1, max_size=6)
gap = st.sampled_from([" ", "  ", "\n", "\t", "\u2028", "\u00a0"])


@st.composite
def tokenised(draw):
    """A sentence, its tokens and their spans; the tokens are parts of words, and one contains white space."""
    tokens, text, spans = [], "", []
    for piece in draw(st.lists(word, min_size=3, max_size=12)):
        text += draw(gap) if text else ""
        cut = draw(st.integers(0, len(piece)))
        for part in (piece[:cut], piece[cut:]):
            if part:
                spans.append((len(text), len(text) + len(part)))
                tokens.append(part)
                text += part
    if draw(st.booleans()):
        spans.append((len(text) + 1, len(text) + 6))
        text, tokens = f"{text} 1\u00a0000", [*tokens, "1000"]
    return text, tuple(tokens), spans


@st.composite
def replacements(draw, text, offset):
    """Replacements of stretches of a text that begins at ``offset`` of a longer one."""
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    names = st.sampled_from(["@entity4", "@entity4's"])
    return tuple(
        NameReplacement(start=offset + start, end=offset + end, person=0, kind="mention", code=draw(names))
        for start, end in zip(edges[::2], edges[1::2], strict=False)
    )


@given(tokenised(), st.lists(st.text(max_size=30), max_size=3), st.lists(st.text(max_size=30), max_size=3), st.data())
def test_whatever_stands_in_the_articles_the_line_comes_back(sentence, before, after, data):
    text, tokens, spans = sentence
    asked = make.raw("q", paragraphs=(f"DATELINE -- {text} And more.", *after))
    told = replace(make.raw("p", paragraphs=(*before, text, "Credit.", *after, "Ann\n Ames")), title="T")
    kept = [one for one in told.paragraphs if one.strip() and one != "Credit."]
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    blank = Mention(start=start, end=end, text=text[start:end])
    question = replace(make.question("q", "Ann", "Ann"), sentence=text, tokens=tokens, token_layout=pack_spans(spans))
    question = replace(question, blank_tokens=(1, 2), blank=blank, name=blank)
    problem = make.problem("q", question, "\n\n".join(kept), ["Ann Ames"], 0, article_id="p")
    choices = (Choice(name="Ann Ames", mentions=(Span(start=0, end=8),)),)
    passage = replace(problem.passage, source="HP", date=make.day(1))
    problem = replace(problem, choices=choices, passage=passage)
    _, placed = make.placed(problem, split="train")
    key = forms.encode(OriginalProblem(problem, placed, None), "original", asked, told)
    assert forms.decode(key, asked, told) == problem_line(problem, placed)
    assert (key.id, key.date, key.level, key.split) == (placed.id, placed.date, placed.level, placed.split)
    person = RenamedPerson(name="Ann Ames", choice=0, code="@entity4")
    offset = len("\n\n".join([*(one for one in before if one.strip()), ""]))
    places = {"question": (text, 0), "passage": (text, offset), "title": ("T", 0)}
    renamed = {part: data.draw(replacements(*place)) for part, place in places.items()}
    original = OriginalProblem(problem, placed, Pseudonyms(id="q", persons=(person,), **renamed))
    key = forms.encode(original, "codes", asked, told)
    assert forms.decode(key, asked, told) == problem_line(original.renamed("codes"), placed)
    assert forms.decode(key, asked, told, original=True) == problem_line(problem, placed)
