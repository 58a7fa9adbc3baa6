"""The system ``api``: a chat model behind an HTTP endpoint, its prompts, and the choice that an answer names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from wdw_build.api import EndpointAnswer, EndpointClient, EndpointConfig, check_endpoint, hash_order
from wdw_build.reading import (
    LabelledProblems,
    Prediction,
    ReadingProblem,
    SystemEntry,
    TrainingContext,
    Untrained,
)
from wdw_build.reading.answers import lettered_choice, named_choice
from wdw_build.reading.prompt import bulleted, chat_prompt, lettered

NAME = "api"
_UNMATCHED = "the output names no choice or several"


class ApiConfig(EndpointConfig, frozen=True):
    """Settings of ``api``."""

    method: Literal["names", "letters"] = "names"
    """Answer to ask for: a name, or its letter."""


def _backends(settings: ApiConfig, workspace: TrainingContext) -> dict[str, str]:
    """Nothing. Raises as ``check_endpoint``."""
    check_endpoint(settings)
    return {}


class _Question(NamedTuple):
    """A prompt; the names in the order in which they are shown, and their indexes."""

    prompt: str
    names: list[str]
    order: list[int]


def question(settings: ApiConfig, problem: ReadingProblem) -> _Question:
    """The question about a problem. The names are in an order by hash: that of the passage would be a cue."""
    names = [choice.name for choice in problem.choices]
    order = hash_order(0, "api", [f"{problem.question}\x1f{name}" for name in names])
    ordered = [names[index] for index in order]
    asked = (
        ("the letter", lettered(ordered)) if settings.method == "letters" else ("one of the names", bulleted(ordered))
    )
    return _Question(chat_prompt(problem.passage, problem.question, *asked), ordered, order)


class Endpoint(Untrained):
    """Scores the choice that the model names by 1 and the others by 0; an unanswered problem has no scores."""

    def __init__(self, settings: ApiConfig) -> None:
        self._settings, self._workspace = settings, TrainingContext()

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: TrainingContext) -> None:
        """Note the workspace, for answers that are kept; nothing is learnt."""
        self._workspace = workspace

    def choose(self, problems: Iterable[ReadingProblem]) -> Iterator[Prediction]:
        """A prediction for each problem, in order. Reads all problems, so that requests run in parallel.

        Kept answers are not asked for.
        """
        questions = [question(self._settings, problem) for problem in problems]
        client = EndpointClient(NAME, self._settings, self._workspace.answers, self._workspace.progress.say)
        answers: list[EndpointAnswer] = []
        for asked, answer in zip(questions, client.answers([asked.prompt for asked in questions]), strict=True):
            prediction = self._prediction(asked, answer)
            is_unmatched = not (prediction.scores or answer.fault)
            answers.append(EndpointAnswer(answer.text, _UNMATCHED) if is_unmatched else answer)
            yield prediction
        client.report(answers)

    def _prediction(self, question: _Question, answer: EndpointAnswer) -> Prediction:
        match = lettered_choice if self._settings.method == "letters" else named_choice
        chosen = None if answer.fault else match(answer.text, question.names)
        if chosen is None:
            return Prediction(())
        return Prediction(tuple(float(at == question.order[chosen]) for at in range(len(question.order))))


API = SystemEntry(
    name=NAME,
    title="Chat model behind an endpoint",
    source="Brown et al. (2020), section 2.4",
    group="today",
    make=Endpoint,
    version=2,
    settings=ApiConfig,
    backends=_backends,
    configured=lambda settings: bool(settings.url and settings.model),
    operational=frozenset({"key_variable", "parallel", "retries", "timeout"}),
)
