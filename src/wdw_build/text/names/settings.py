"""The settings of the stage ``choices``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.section import AddedRule, PositiveInt, Section, Share, paper, refuse_empty_range


class ChoicesConfig(Section, frozen=True):
    """Choice building."""

    min_choices: Annotated[int, Meta(ge=2)] = 2
    """Minimum number of choices, including the answer."""
    max_choices: Annotated[int, Meta(ge=2)] = 5
    """Maximum number of choices, including the answer."""
    above_max: Annotated[Literal["refuse", "draw"], paper("refuse")] = "draw"
    """If there are more persons than `max_choices`: refuse the passage, or select (`draw`) distractors in several
    ways."""
    max_alternatives: Annotated[PositiveInt, paper(1)] = 24
    """Maximum number of alternatives per article; 1: only the first usable passage."""
    min_evidence: Annotated[Share, paper(0.0)] = 0.7
    """Drop an alternative with a lower evidence score; 0: no test."""
    refuse_non_persons: AddedRule = True
    """Drop mentions in the passage that are not persons, persons who only report, and given names alone."""
    drop_shown_names: AddedRule = True
    """Drop a choice whose name occurs in the question, word for word or misspelt, even if the name is not a person there."""
    merge_forms: AddedRule = True
    """Find all forms of each name in the passage, such as short forms (Bill) and misspelt names."""
    keep_namesakes: AddedRule = True
    """Keep a choice that shares only a surname or a given name with a person in the question."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if no number of choices is allowed."""
        refuse_empty_range("choices.min_choices", self.min_choices, "choices.max_choices", self.max_choices)
