"""Names and sentences of the problems: choices that are one person or cut, names that a question gives away, captions."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from itertools import combinations

from wdw_build.records import Question
from wdw_build.stages.choices.rules import deleted_name, in_question, is_deleted_person
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.names.evidence import read_names
from wdw_build.text.names.name import in_text
from wdw_build.text.sentences.refusals import fragment, no_main_clause
from wdw_build.verify.audited_run import AuditedRun, Recorder

# A quotation mark after a word within a name, of which no mark before the word is the partner.
_CUT_NICKNAME = re.compile(r"[^\"“‘”’']*\w\w[\"”’'] ")

# The least share of equal letters of words that are spellings of one name.
_ALIKE = 0.6
_LETTERS = re.compile(r"[^\W\d_]+")
_TWICE = re.compile(r"(.)\1+")
_GENERATIONS = frozenset("jr sr jnr snr junior senior i iv".split())
_HONORIFICS = frozenset("mr mrs ms miss dr sir lady lord pope king queen prince princess president senator".split())


def distinct_choices(run: AuditedRun, recorder: Recorder) -> None:
    """No two choices of a problem are written alike, unless choices.merge_forms is off.

    The letters are compared plainly, and not by the comparison of names that made the choices, so that its faults show.
    """
    for problem in run.placed_problems() if run.config.choices.merge_forms else ():
        for name, other in combinations((choice.name for choice in problem.choices), 2):
            recorder.count()
            if _are_written_alike(name, other):
                recorder.fail(problem.id, f"the choices {name!r} and {other!r} are one person")


def _are_written_alike(name: str, other: str) -> bool:
    """Whether two names have the same letters, or one has all words of the other, which are two or more, in order."""
    first, second = letters_of_words(name), letters_of_words(other)
    if "".join(first) == "".join(second):
        return True
    short, long = sorted((first, second), key=len)
    # "George H.W. Bush" and "George W. Bush" have their initials to be told apart.
    initials = [[word for word in words if len(word) == 1] for words in (short, long)]
    if all(initials) and initials[0] != initials[1]:
        return False
    rest = iter(long)
    is_within = len(short) > 1 and all(word in rest for word in short)
    return is_within and not set(long).difference(short) & _GENERATIONS


def letters_of_words(name: str) -> list[str]:
    """The words of a name without honorifics, in plain lower-case letters, each letter once where it is doubled."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter) and letter not in "'’")
    return [_TWICE.sub(r"\1", word) for word in _LETTERS.findall(letters) if word not in _HONORIFICS]


def choices_not_shown(run: AuditedRun, recorder: Recorder) -> None:
    """No question names one of its choices: by its plain letters, or in a form or spelling that the rules of choices cover."""
    for problem in run.placed_problems():
        for choice in problem.choices:
            recorder.count()
            is_written = run.config.choices.drop_shown_names and _is_written_in(choice.name, problem.question)
            if is_written or in_question(choice.name, problem.question, run.config.choices):
                recorder.fail(problem.id, f"the question names the choice {choice.name!r}")


def _is_written_in(name: str, question: Question) -> bool:
    """Whether a side of the blank has the words of a name in a row, by their letters; a name of one word may be another's."""
    words = letters_of_words(name)
    sides = (letters_of_words(side) for side in (question.left, question.right))
    return len(words) > 1 and any(
        side[first : first + len(words)] == words for side in sides for first in range(len(side) - len(words) + 1)
    )


def whole_names(run: AuditedRun, recorder: Recorder) -> None:
    """The name of every choice is in one of its mentions, and begins within no nickname, as "Mad Dog’ Mattis" does."""
    for problem in run.placed_problems():
        for choice in problem.choices:
            recorder.count()
            name, text = in_text(choice.name), problem.passage.text
            if _CUT_NICKNAME.match(choice.name):
                recorder.fail(problem.id, f"the choice {choice.name!r} begins within a nickname")
            elif not any(name.search(text, mention.start, mention.end) for mention in choice.mentions):
                recorder.fail(problem.id, f"the choice {choice.name!r} has no mention with this name")


def right_answers(run: AuditedRun, recorder: Recorder) -> None:
    """The answer of every problem is a form or a spelling of the deleted name, and not a relative's name.

    That they are alike is also seen in their plain letters, without the comparison of names.
    """
    config, evidence = run.config.choices, read_names(run.outputs["names"].folder)
    for problem in run.placed_problems():
        recorder.count()
        answer, article = problem.choices[problem.answer].name, run.find("ingest", problem.id)
        deleted = deleted_name(problem.question, article.text, config, evidence) if article else ""
        is_alike = _has_a_word_alike(answer, problem.question.name.text)
        if not is_alike or not is_deleted_person(answer, deleted, config, problem.passage.text, evidence):
            recorder.fail(problem.id, f"the answer {answer!r} is not the deleted person {problem.question.name.text!r}")


def _has_a_word_alike(name: str, other: str) -> bool:
    """Whether names share most letters of a word, or one is the first letters of the other."""
    first, second = letters_of_words(name), letters_of_words(other)
    initials = {"".join(word[0] for word in words) for words in (first, second)}
    pairs = ((mine, theirs) for mine in first for theirs in second)
    return bool(initials & {*first, *second}) or any(
        SequenceMatcher(None, mine, theirs).ratio() >= _ALIKE for mine, theirs in pairs
    )


def finite_verbs(run: AuditedRun, recorder: Recorder) -> None:
    """Every question has a main clause with a finite verb and is no caption, unless questions.refuse_fragments is off."""
    for problem in run.placed_problems() if run.config.questions.refuse_fragments else ():
        recorder.count()
        question = problem.question
        caption = fragment(question.sentence)
        if caption or no_main_clause(Sentence(question.tree, run.config.questions.repair_phrases)):
            recorder.fail(problem.id, f"has no finite verb, or is a caption: {caption or question.sentence}")


CHECKS = (distinct_choices, whole_names, right_answers, choices_not_shown, finite_verbs)
