"""The alternatives of articles with the names that adversaries read: those of the text, or codes."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from wdw_build.core.stage import Context
from wdw_build.ports import ANNOTATIONS
from wdw_build.records import Problem, ProblemAlternatives, Pseudonyms
from wdw_build.selection.settings import AdversaryConfig
from wdw_build.text.names.evidence import NameEvidence, read_names
from wdw_build.text.pseudonyms.apply import renamed
from wdw_build.text.pseudonyms.codes import code_draw, pseudonyms_of
from wdw_build.text.pseudonyms.persons import tagged_persons


class AlternativeTexts:
    """The alternatives of an article as problems with the names that adversaries read."""

    def __init__(self, config: AdversaryConfig, context: Context) -> None:
        self._names, self._context = config.names, context
        self._article = functools.lru_cache(1024)(functools.partial(context.find, "ingest"))

    def problems(self, record: ProblemAlternatives) -> Iterator[Problem]:
        """Yield the problem of each alternative; with the original names if a name cannot be replaced."""
        for number, alternative in enumerate(record.alternatives):
            problem = record.problem(number, self._article(record.passages[alternative.passage].article))
            yield problem if self._names == "original" else self._renamed(problem)

    def _renamed(self, problem: Problem) -> Problem:
        article = self._article(problem.passage.article)
        annotation = self._context.port(ANNOTATIONS).annotate([article])[article.id]
        entities = tagged_persons(annotation, problem.passage.text, self._evidence)
        draw = code_draw(self._context.seed, "adversary", problem.id)
        pseudonyms = pseudonyms_of(problem, entities, self._evidence, draw)
        return renamed(problem, pseudonyms) if isinstance(pseudonyms, Pseudonyms) else problem

    @functools.cached_property
    def _evidence(self) -> NameEvidence:
        return read_names(self._context.inputs["names"].folder)
