"""Readers on a pre-trained transformer encoder, fine-tuned: over choices, over choices without the passage, over spans."""

from __future__ import annotations

from wdw_build.reading import System, SystemEntry
from wdw_build.systems.encoders.files import backends
from wdw_build.systems.encoders.settings import ChoiceConfig, QuestionConfig, SpanConfig


def _choice(settings: ChoiceConfig) -> System:
    from wdw_build.systems.encoders.system import choice_system

    return choice_system(settings)


def _question(settings: QuestionConfig) -> System:
    from wdw_build.systems.encoders.system import question_system

    return question_system(settings)


def _span(settings: SpanConfig) -> System:
    from wdw_build.systems.encoders.system import span_system

    return span_system(settings)


CHOICE_ENCODER = SystemEntry(
    name="choice-encoder",
    title="Encoder over choices",
    source="Devlin et al. (2019), on all-MiniLM-L6-v2",
    group="today",
    make=_choice,
    settings=ChoiceConfig,
    trained=True,
    seeded=True,
    backends=backends,
)
QUESTION_ONLY_ENCODER = SystemEntry(
    name="encoder-question-only",
    title="Encoder, question only",
    source="Kaushik & Lipton (2018), on all-MiniLM-L6-v2",
    group="probe",
    make=_question,
    settings=QuestionConfig,
    trained=True,
    seeded=True,
    backends=backends,
)
SPAN_ENCODER = SystemEntry(
    name="span-encoder",
    title="Encoder over spans",
    source="Devlin et al. (2019), on all-MiniLM-L6-v2",
    group="today",
    make=_span,
    settings=SpanConfig,
    trained=True,
    seeded=True,
    backends=backends,
)
