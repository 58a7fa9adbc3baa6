"""A sheet: problems sampled for people, with their key, and people's judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from wdw_build.api import CorpusError
from wdw_build.reading import BLANK
from wdw_build.reading.settings import Condition, has_passage, replaces_names
from wdw_study.folder import Head, StudyFolder
from wdw_study.judging.judgements import Judgement, adjudications_of, judgements_of
from wdw_study.people import aside_of, is_model

CANNOT_TELL = "cannot tell"
# Faults of a problem; a person ticks any number of them.
FAULTS: dict[str, str] = {
    "wrong-span": "the blank is too long or too short",
    "not-a-person": "a choice or the deleted phrase is not a person",
    "same-person-twice": "two choices are the same person",
    "two-answers": "two choices are right",
    "given-away": "the answer is clear without the passage",
    "other-event": "the passage is about something else",
    "no-story": "most of the passage is a list, a round-up or a table",
    "broken-text": "the question or the passage is damaged",
}
_FAULTS_OF_PASSAGES = ("other-event", "no-story")
# What finding the answer takes (QUOREF, Dasigi et al. 2019, Table 2, and the case without coreference).
PHENOMENA: dict[str, str] = {
    "named": "the decisive sentence names the person: no coreference is needed",
    "pronominal": "a pronoun must be resolved to the person",
    "nominal": "a description, such as a title or a role, must be resolved to the person",
    "multiple": "more than one pronoun or description must be resolved",
    "commonsense": "knowledge of the world must be used",
}
_CHOOSE = f"In a sentence, {BLANK} replaces a name. Choose the person with this name."
_LABEL = (
    f"In a sentence, {BLANK} replaces a name, which is given. Mark what a reader needs to find it in the passage; several "
    "labels may apply."
)
# By whether there is a passage.
_EVIDENCE = {
    True: (
        "Answer from the passage, not from what you know. What any reader infers from it counts, also from an office or a "
        "title: it is the president who vetoes a law.",
        f"If you can only guess, or only rule out the other choices, answer “{CANNOT_TELL}”.",
        "The passage of another problem is not evidence, even if you remember it.",
    ),
    False: (f"There is no passage to read. Choose the answer that seems likeliest, or answer “{CANNOT_TELL}”.",),
}
_UNUSUAL = (
    "If the right answer is not a person, such as a company, choose it all the same, and mark that it is not a person."
)
_CODES = "Codes such as @entity3 stand for the names of persons: the same code is the same person."
_MARK = "If something is wrong with a problem, mark it, and answer all the same if you can."
Task = Literal["answer", "phenomena"]


class SheetProblem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem of a sheet with its key: a line of ``items.jsonl``. The key never leaves the server for annotators."""

    number: int
    """Place on the sheet, from 1."""
    id: str
    """Id of the problem."""
    question: str
    """The sentence with `XXX` for the deleted phrase, with the names of the sheet's condition."""
    blank: int = -1
    """Index of the first character of the blank in `question`; -1 on sheets of earlier versions, whose first `XXX` is it."""
    passage: str
    """Text of the passage; empty if the sheet's condition has none."""
    title: str = ""
    """Title of the passage, with the names of the sheet's condition; empty without a passage."""
    date: str = ""
    """Date of the passage; empty without a passage."""
    choices: tuple[str, ...]
    """The names in the order of the problem."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    split: str
    """`train`, `validation` or `test`; empty for a problem that suppression dropped."""
    level: str
    """`strict`, `relaxed` or `suppressed`."""
    guesses: dict[str, int]
    """Baseline or adversary -> index of its prediction in `choices`."""

    @property
    def around_blank(self) -> tuple[str, str]:
        """The question before and after the blank."""
        start = self.blank if self.blank >= 0 else self.question.index(BLANK)
        return self.question[:start], self.question[start + len(BLANK) :]


class Sheet(Head, frozen=True, kw_only=True):
    """What a sheet was drawn with: its ``study.json``."""

    task: Task
    """`answer`: choose the person; `phenomena`: say what finding the given answer takes."""
    condition: Condition
    """What people read."""
    source: str
    """Split that the problems were drawn from; empty: the dataset; `before`: also what suppression dropped."""
    problems: int
    """Number of problems."""

    @property
    def has_passage(self) -> bool:
        """Whether people read the passage."""
        return has_passage(self.condition)

    @property
    def faults(self) -> dict[str, str]:
        """The faults that people may mark: those of passages only if people read one."""
        return {label: text for label, text in FAULTS.items() if self.has_passage or label not in _FAULTS_OF_PASSAGES}

    @property
    def rules(self) -> tuple[str, ...]:
        """What annotators are told: the task, then its rules. Models are told the same."""
        task = (_CHOOSE, *_EVIDENCE[self.has_passage], _UNUSUAL) if self.task == "answer" else (_LABEL,)
        return (*task, *([_CODES] if replaces_names(self.condition) else []), _MARK)


class SheetFolder(StudyFolder[Sheet, SheetProblem]):
    """A sheet on disk."""

    KIND, HEAD, ITEM = "annotate", Sheet, SheetProblem


# Person -> problem -> what the person said, of answered problems.
ByPerson = Mapping[str, Mapping[str, Judgement]]


@dataclass(frozen=True)
class Judged:
    """A sheet with everything that people said of it: what a score is computed from."""

    sheet: Sheet
    """The sheet."""
    problems: Sequence[SheetProblem]
    """Its problems, in order."""
    judgements: Sequence[Judgement]
    """What people said, by person, then in the order of the problems."""
    adjudicated: Sequence[Judgement] = ()
    """What the adjudicator decided; her `answer` is the right one in her view, None if none is."""
    left_out: Sequence[str] = ()
    """People and models with judgements that do not count, and are not among `judgements` and `models`."""
    models: Sequence[Judgement] = ()
    """What models said, in the order of `judgements`."""

    @property
    def answered(self) -> ByPerson:
        """People's judgements with an answer, by person and problem; persons by name, problems in the order of the sheet."""
        return self._answered(self.judgements)

    @property
    def answered_by_models(self) -> ByPerson:
        """Models' judgements with an answer, as ``answered``."""
        return self._answered(self.models)

    def _answered(self, judgements: Sequence[Judgement]) -> ByPerson:
        places = {problem.id: problem.number for problem in self.problems}
        by_person: dict[str, dict[str, Judgement]] = {}
        for judgement in sorted(judgements, key=lambda judgement: (judgement.person, places[judgement.problem])):
            if judgement.answered:
                by_person.setdefault(judgement.person, {})[judgement.problem] = judgement
        return by_person


def judged_of(folder: SheetFolder, *, counts_all: bool = False) -> Judged:
    """A sheet with everybody's judgements; those of people and models that the owner put aside only with ``counts_all``.

    Raises ``CorpusError`` if an answer is none of the choices of its problem.
    """
    events, problems = folder.log.events(), {problem.id: problem for problem in folder.items}
    judgements, adjudicated = judgements_of(events), adjudications_of(events)
    for judgement in (*judgements, *adjudicated):
        problem = problems.get(judgement.problem)
        if problem is None or not 0 <= (judgement.answer or 0) < len(problem.choices):
            raise CorpusError(
                f"{folder.path}: {judgement.problem} has no choice with the index {judgement.answer}",
                hint="the log of events was changed; restore it from a copy",
            )
    others = frozenset() if counts_all else aside_of(events)
    counted = [judgement for judgement in judgements if judgement.person not in others]
    counted.sort(key=lambda judgement: (judgement.person, problems[judgement.problem].number))
    return Judged(
        folder.head,
        folder.items,
        [judgement for judgement in counted if not is_model(judgement.person)],
        adjudicated,
        sorted({judgement.person for judgement in judgements} & others),
        [judgement for judgement in counted if is_model(judgement.person)],
    )
