"""A language model as judge: it is asked the questions of the pages, and its replies become events of the sheet.

A reply without a valid answer leaves the problem unanswered: its text becomes the note, and it marks no fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment

from wdw_build.api import EndpointAnswer, EndpointClient, EndpointConfig, Progress
from wdw_build.reading.answers import final_answer, lettered_choice
from wdw_build.reading.prompt import lettered, who_is
from wdw_study.judging.draw import choice_order
from wdw_study.judging.judgements import (
    ANSWERED,
    FAULTS_MARKED,
    LABELLED,
    LONGEST_NOTE,
    NOTED,
    Judgement,
    append_changes,
    person_judgements,
)
from wdw_study.judging.sheets import CANNOT_TELL, PHENOMENA, Sheet, SheetFolder, SheetProblem
from wdw_study.people import model_participant, sign_in_once

NAME = "judge"
# A reason of one sentence, an answer and faults; ``options`` of the endpoint replaces it.
_REPLY = {"max_tokens": 400}
_LIMITS = ("max_tokens", "max_completion_tokens")
# Of English text; tokenizers differ.
_CHARACTERS_PER_TOKEN = 4
_NO_ANSWER = "the reply does not answer the question"
# Models write line ends into strings.
_DECODER = json.JSONDecoder(strict=False)
_TEMPLATE = Path(__file__).parent / "templates" / "judge.txt.j2"


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What asking costs at most."""

    problems: int
    """Problems of the sheets."""
    calls: int
    """Prompts without a stored answer."""
    input_tokens: int
    """Estimated tokens of these prompts."""
    output_tokens: int | None
    """Most tokens of the answers; null without a limit."""
    cost: float | None
    """Most that the calls cost; null without prices or without a limit."""

    @property
    def text(self) -> str:
        """The estimate in a sentence."""
        output = "output without a limit" if self.output_tokens is None else f"at most {self.output_tokens:,} of output"
        cost = "" if self.cost is None else f"; at most {self.cost:,.2f}"
        calls = f"{self.calls:,} of {self.problems:,} problems to ask"
        return f"{calls}; about {self.input_tokens:,} tokens of input, {output}{cost}"


class Prices(NamedTuple):
    """Prices of a million tokens; None: not given."""

    input: float | None
    output: float | None


class ModelJudge:
    """A model at an endpoint. ``store``: folder of the stored answers, which are not asked for again."""

    def __init__(self, settings: EndpointConfig, store: Path | None, progress: Progress) -> None:
        self.name, self._store, self._progress = model_participant(settings.model), store, progress
        self._settings = msgspec.structs.replace(settings, options=_REPLY | settings.options)

    def estimate(self, folders: Iterable[SheetFolder], prices: Prices) -> Estimate:
        """What judging the sheets costs."""
        prompts = [prompt for folder in folders for prompt in self._prompts(folder)]
        open_prompts = self._client().open(prompts)
        limit = max((self._settings.limits[name] for name in _LIMITS if name in self._settings.limits), default=None)
        input_tokens = sum(map(len, open_prompts)) // _CHARACTERS_PER_TOKEN
        most = None if limit is None else limit * len(open_prompts)
        cost = None
        if most is not None and prices.input is not None and prices.output is not None:
            cost = (input_tokens * prices.input + most * prices.output) / 1_000_000
        return Estimate(
            problems=len(prompts), calls=len(open_prompts), input_tokens=input_tokens, output_tokens=most, cost=cost
        )

    def judge(self, folder: SheetFolder) -> None:
        """Ask every problem of a sheet, and append what changes to its log. Raises as ``EndpointClient.answers``."""
        client, answers = self._client(), list[EndpointAnswer]()
        sign_in_once(folder.log, self.name)
        known = person_judgements(self.name, folder.log.events(self.name))
        with self._progress.bar(NAME, len(folder.items), "problems") as bar:
            replies = client.answers(list(self._prompts(folder)))
            for problem, answer in zip(folder.items, replies, strict=True):
                values = {} if answer.fault else read_reply(answer.text, folder.head, problem, self.name)
                if not (values or answer.fault):
                    answer = EndpointAnswer(answer.text, _NO_ANSWER)
                answers.append(answer)
                judgement = known.get(problem.id) or Judgement(person=self.name, problem=problem.id)
                if answer.fault and not judgement.answered:
                    values = {NOTED: f"{answer.fault}: {answer.text}"[:LONGEST_NOTE]}
                append_changes(folder.log, judgement, values)
                bar.advance()
        client.report(answers)

    def _prompts(self, folder: SheetFolder) -> Iterator[str]:
        environment = Environment(autoescape=False, trim_blocks=True, lstrip_blocks=True)  # noqa: S701 (plain text)
        template = environment.from_string(_TEMPLATE.read_text("utf-8"))
        for problem in folder.items:
            names = _shown(folder.head, problem, self.name)[0]
            asked = who_is() + lettered(names)
            yield template.render(sheet=folder.head, problem=problem, asked=asked, phenomena=PHENOMENA)

    def _client(self) -> EndpointClient:
        return EndpointClient(NAME, self._settings, self._store, self._progress.say)


def read_reply(text: str, sheet: Sheet, problem: SheetProblem, participant: str) -> dict[str, Any]:
    """The values that a reply gives, by kind of event; empty if it does not answer the question.

    The answer is a letter or a name in a JSON object, or in any text. Unknown labels are ignored.
    """
    reply = _object(final_answer(text))
    values: dict[str, Any] = {
        FAULTS_MARKED: _labels(reply.get("faults"), sheet.faults),
        NOTED: str(reply.get("note") or "")[:LONGEST_NOTE],
    }
    if sheet.task == "phenomena":
        labels = _labels(reply.get("phenomena"), PHENOMENA)
        return values | {LABELLED: labels} if labels else {}
    names, order = _shown(sheet, problem, participant)
    chosen = lettered_choice(str(reply.get("answer") or "") if reply else text, names)
    return {} if chosen is None else values | {ANSWERED: order[chosen]}


def _shown(sheet: Sheet, problem: SheetProblem, participant: str) -> tuple[list[str], list[int | None]]:
    """The choices in the order in which a participant sees them, and their indexes; ``cannot tell`` is the last."""
    order = choice_order(sheet.seed, participant, problem)
    return [*(problem.choices[index] for index in order), CANNOT_TELL], [*order, None]


def _object(text: str) -> dict[str, Any]:
    """The last JSON object in a text that is in no other one; empty if there is none."""
    last: dict[str, Any] = {}
    place = text.find("{")
    while place >= 0:
        try:
            last, end = _DECODER.raw_decode(text, place)
        except ValueError:
            end = place + 1
        place = text.find("{", end)
    return last


def _labels(values: Any, known: Mapping[str, str]) -> tuple[str, ...]:
    """The known labels among the values of a reply, or in its text."""
    words = values.replace(",", " ").split() if isinstance(values, str) else values if isinstance(values, list) else ()
    marked = {str(word).partition(":")[0].strip().lower().replace("_", "-").replace(" ", "-") for word in words}
    return tuple(label for label in known if label in marked)
