"""Names and sentences of the problems: choices that are one person or cut, names that a question gives away, captions."""

from __future__ import annotations

import re
from itertools import combinations

from wdw_build.stages.choices.rules import deleted_name, in_question, is_deleted_person
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.names.evidence import read_names
from wdw_build.text.names.matching import are_relatives, in_text, is_misspelling, is_other_spelling, same_person
from wdw_build.text.sentences.refusals import fragment, no_main_clause
from wdw_build.verify.audited_run import AuditedRun, Recorder

# A quotation mark after a word within a name, of which no mark before the word is the partner.
_CUT_NICKNAME = re.compile(r"[^\"“‘”’']*\w\w[\"”’'] ")


def distinct_choices(run: AuditedRun, recorder: Recorder) -> None:
    """No two choices of a problem are forms or spellings of one person's name, unless choices.merge_forms is off."""
    for problem in run.placed_problems() if run.config.choices.merge_forms else ():
        for one, other in combinations((choice.name for choice in problem.choices), 2):
            recorder.count()
            is_form = same_person(one, other) and not are_relatives(one, other)
            if is_form or is_misspelling(one, other) or is_other_spelling(one, other):
                recorder.fail(problem.id, f"the choices {one!r} and {other!r} are one person")


def choices_not_shown(run: AuditedRun, recorder: Recorder) -> None:
    """No question names one of its choices, in any form or spelling that the rules of choices cover."""
    for problem in run.placed_problems():
        for choice in problem.choices:
            recorder.count()
            if in_question(choice.name, problem.question, run.config.choices):
                recorder.fail(problem.id, f"the question names the choice {choice.name!r}")


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
    """The answer of every problem is a form or a spelling of the deleted name, and not a relative's name."""
    config, evidence = run.config.choices, read_names(run.outputs["names"].folder)
    for problem in run.placed_problems():
        recorder.count()
        answer, article = problem.choices[problem.answer].name, run.find("ingest", problem.id)
        deleted = deleted_name(problem.question, article.text, config, evidence) if article else ""
        if not is_deleted_person(answer, deleted, config, problem.passage.text, evidence):
            recorder.fail(problem.id, f"the answer {answer!r} is not the deleted person {problem.question.name.text!r}")


def finite_verbs(run: AuditedRun, recorder: Recorder) -> None:
    """Every question has a main clause with a finite verb and is no caption, unless questions.refuse_fragments is off."""
    for problem in run.placed_problems() if run.config.questions.refuse_fragments else ():
        recorder.count()
        question = problem.question
        caption = fragment(question.sentence)
        if caption or no_main_clause(Sentence(question.tree, run.config.questions.repair_phrases)):
            recorder.fail(problem.id, f"has no finite verb, or is a caption: {caption or question.sentence}")


CHECKS = (distinct_choices, whole_names, right_answers, choices_not_shown, finite_verbs)
