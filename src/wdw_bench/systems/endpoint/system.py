"""The system ``api``: prompts, parallel requests, and the choice that an answer names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from wdw_bench.systems.endpoint import NAME, ApiConfig
from wdw_bench.systems.endpoint.client import Client
from wdw_bench.systems.endpoint.completion import REFUSED, Answer
from wdw_build.api import StageError, digest, printable, uniform_hash
from wdw_build.reading import BLANK, LabelledProblems, Prediction, ReadingProblem, TrainingContext, Untrained
from wdw_build.reading.answers import lettered_choice, letters, named_choice

_UNMATCHED = "the output names no choice or several"
_SHOWN = 200  # characters of an output or a server's message


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
    return _Question(digest([settings.url, request]), request, names, order)


class Endpoint(Untrained):
    """Scores the choice that the model names by 1 and the others by 0; an unanswered problem has no scores."""

    def __init__(self, settings: ApiConfig) -> None:
        self._settings, self._workspace = settings, TrainingContext()

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """See ``System.fit``."""
        self._workspace = workspace

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """See ``System.choose``. Reads all problems, so that requests run in parallel. Kept answers are not asked for."""
        questions = [question(self._settings, problem) for problem in problems]
        client = Client(self._settings, self._workspace.answers, self._workspace.progress.say)
        answers: dict[str, Answer | Future[Answer]] = {}
        found: list[Answer] = []
        with ThreadPoolExecutor(self._settings.parallel) as threads:
            try:
                for asked in questions:
                    if asked.key not in answers:
                        answers[asked.key] = client.kept(asked.key) or threads.submit(client.answer, *asked[:2])
                for asked in questions:
                    waiting = answers[asked.key]
                    answer = waiting if isinstance(waiting, Answer) else waiting.result()
                    prediction = self._prediction(asked, answer)
                    is_unmatched = not (prediction.scores or answer.fault)
                    found.append(Answer(answer.text, _UNMATCHED) if is_unmatched else answer)
                    yield prediction
            finally:
                client.stop()
                threads.shutdown(cancel_futures=True)
        self._report(found)

    def _prediction(self, asked: _Question, answer: Answer) -> Prediction:
        match = lettered_choice if self._settings.method == "letters" else named_choice
        shown = None if answer.fault else match(answer.text, asked.names)
        if shown is None:
            return Prediction(())
        return Prediction(tuple(float(at == asked.order[shown]) for at in range(len(asked.order))))

    def _report(self, answers: Sequence[Answer]) -> None:
        """Say how many problems are unanswered, and why. Raises ``StageError`` if the server refused all of them."""
        # The last text of each fault is its example.
        examples = {answer.fault: answer.text for answer in answers if answer.fault}
        if answers and all(answer.fault == REFUSED for answer in answers):
            raise StageError(
                f"{NAME}: {self._settings.url} refused every request, such as with {examples[REFUSED]}",
                hint=f"correct model or options in bench.settings.{NAME}, or the context length of the server",
            )
        for fault, text in examples.items():
            count = sum(answer.fault == fault for answer in answers)
            shown = f": {printable(' '.join(text.split())[:_SHOWN])}" if text else ""
            self._workspace.progress.say(f"{NAME}: {count} of {len(answers)} problems are unanswered: {fault}{shown}")
