"""The system ``api``: prompts, parallel requests, and the choice that an answer names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from wdw_bench.systems.endpoint import NAME, ApiConfig
from wdw_bench.systems.endpoint.client import Answer, AnswerCache, Client, request_key
from wdw_build.api import uniform_hash
from wdw_build.reading import BLANK, LabelledProblems, Prediction, ReadingProblem, TrainingContext, Untrained
from wdw_build.reading.answers import lettered_choice, letters, named_choice


class _Question(NamedTuple):
    """A request with its key in the cache; the names in the order in which they are shown, and their indexes."""

    key: str
    request: dict[str, Any]
    names: list[str]
    order: list[int]


def question(settings: ApiConfig, problem: ReadingProblem) -> _Question:
    """The request for a problem. The names are in an order by hash: that of the passage would be a cue."""
    names = [choice.name for choice in problem.choices]
    order = sorted(range(len(names)), key=lambda at: uniform_hash(0, "api", f"{problem.question}\x1f{names[at]}"))
    names = [names[at] for at in order]
    if settings.method == "letters":
        listed = "\n".join(f"{letter}. {name}" for letter, name in zip(letters(len(names)), names, strict=True))
        asked = "Answer with the letter only"
    else:
        listed, asked = "\n".join(f"- {name}" for name in names), "Answer with one of the names only"
    text = (
        f"{problem.passage}\n\nIn this sentence from another article, {BLANK} replaces a person:\n{problem.question}\n\n"
        f"Who is {BLANK}? {asked}:\n{listed}"
    )
    request = {"model": settings.model, "messages": [{"role": "user", "content": text}], **settings.limits}
    return _Question(request_key(settings, request), request, names, order)


class Endpoint(Untrained):
    """Scores the choice that the model names by 1 and the others by 0; an answer that names no choice has no scores."""

    def __init__(self, settings: ApiConfig) -> None:
        self._settings, self._workspace = settings, TrainingContext()

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """See ``System.fit``."""
        self._workspace = workspace

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``. Reads all problems, so that requests run in parallel. Kept answers are not asked for."""
        questions = [question(self._settings, problem) for problem in problems]
        cache = AnswerCache(self._workspace.answers)
        client = Client(self._settings, cache, self._workspace.progress.say)
        answers: dict[str, Answer | Future[Answer]] = {}
        unmatched = 0
        with ThreadPoolExecutor(self._settings.parallel) as threads:
            try:
                for asked in questions:
                    if asked.key not in answers:
                        answers[asked.key] = cache.find(asked.key) or threads.submit(client.answer, asked.request)
                for asked in questions:
                    found = answers[asked.key]
                    prediction = self._prediction(asked, found if isinstance(found, Answer) else found.result())
                    unmatched += not prediction.scores
                    yield prediction
            finally:
                client.stop()
                threads.shutdown(cancel_futures=True)
        if unmatched:
            self._workspace.progress.say(f"{NAME}: {unmatched} of {len(questions)} answers name no choice or several")

    def _prediction(self, asked: _Question, answer: Answer) -> Prediction:
        match = lettered_choice if self._settings.method == "letters" else named_choice
        shown = match(answer.text, asked.names)
        if shown is None:
            return Prediction(())
        return Prediction(tuple(float(at == asked.order[shown]) for at in range(len(asked.order))))
