"""Pseudonyms of problems, made by exact string search, and the problems of an export in memory."""

import re

from wdw_build.ports import OriginalProblem
from wdw_build.records import NameReplacement, Pseudonyms, RenamedPerson


class ListedProblems:
    """``ExportedProblems`` from a list of (problem, placed), and the pseudonyms by id."""

    def __init__(self, pairs, pseudonyms=None, names="original"):
        self._pairs, self._pseudonyms, self.names = pairs, pseudonyms or {}, names

    def __iter__(self):
        return ((original.renamed(self.names), original.placed) for original in self.originals())

    def originals(self):
        return (OriginalProblem(problem, placed, self._pseudonyms.get(problem.id)) for problem, placed in self._pairs)


def pseudonyms_of(problem, others=()):
    """Replacements for every choice and the ``others``, by whole name over any white space and by its last word."""
    names = [*(choice.name for choice in problem.choices), *others]
    chosen = range(len(problem.choices))
    persons = tuple(
        RenamedPerson(name=name, choice=index if index in chosen else None, code=f"@entity{len(names) - index}")
        for index, name in enumerate(names)
    )
    texts = (problem.passage.text, problem.question.sentence, problem.passage.title)
    passage, question, title = (tuple(_replacements(text, persons)) for text in texts)
    return Pseudonyms(id=problem.id, persons=persons, passage=passage, question=question, title=title)


def _replacements(text, persons):
    found = {}
    for index, person in enumerate(persons):
        whole, last = r"\s+".join(map(re.escape, person.name.split())), person.name.split()[-1]
        for form, kind in ((whole, "mention"), (re.escape(last), "word")):
            for match in re.finditer(rf"\b{form}\b", text):
                if not any(start < match.end() and match.start() < end for start, end in found):
                    spot = {"start": match.start(), "end": match.end()}
                    found[match.span()] = NameReplacement(person=index, kind=kind, code=person.code, **spot)
    return (found[span] for span in sorted(found))
