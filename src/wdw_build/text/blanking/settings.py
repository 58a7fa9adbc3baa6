"""The settings of the stage ``questions``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.section import AddedRule, PositiveInt, Section, paper, refuse_empty_range


class QuestionsConfig(Section, frozen=True):
    """Question formation (Algorithm 1)."""

    persons: Annotated[Literal["all", "last"], paper("last")] = "all"
    """Persons to delete, each in its own alternative: all possible persons, or only the last."""
    lead_sentences: Annotated[int, Meta(ge=1, le=3)] = 1
    """Number of sentences to try at the start of an article: the first one that gives a question becomes the question."""
    min_persons: Annotated[int, Meta(ge=1, le=2), paper(2)] = 1
    """Minimum number of different persons in the first sentence, including the deleted one. With 1, a passage need not name
    another person of a question that names none."""
    min_tokens: PositiveInt = 10
    """Minimum length of the first sentence, in tokens."""
    max_tokens: PositiveInt = 120
    """Maximum length of the first sentence, in tokens."""
    max_name_words: PositiveInt = 3
    """Maximum length of a mention, in words."""
    refuse_long_phrase: AddedRule = True
    """Refuse a deleted phrase of more than 10 words."""
    refuse_finite_verb: AddedRule = True
    """Refuse a deleted phrase that contains a finite verb."""
    refuse_modifier: AddedRule = True
    """Refuse a name that modifies a noun ('the XXX administration')."""
    refuse_and_beside: AddedRule = True
    """Refuse a blank directly next to a coordinating 'and'."""
    refuse_name_outside: AddedRule = True
    """Refuse a sentence in which a word of the deleted name occurs again."""
    refuse_non_persons: AddedRule = True
    """Drop mentions that are not persons, such as companies, and one-word names without evidence of a person."""
    climb_only_of: AddedRule = True
    """Delete a prepositional phrase with the name only if its preposition is 'of'."""
    refuse_cut_phrase: AddedRule = True
    """Refuse a deleted phrase that cuts through a quotation or bracket, or starts inside a title."""
    extend_titles: AddedRule = True
    """Extend the blank to the left over a title or adjective that the parser omitted."""
    extend_tail: AddedRule = True
    """Extend the blank to the right over a party in brackets or a place ('of Ohio')."""
    trim_phrase: AddedRule = True
    """Remove what a comma sets off, such as an age, and words that the parser attached by mistake, such as a weekday."""
    titles: Literal["keep", "delete"] = "delete"
    """What happens to a title or description directly before the name ('Prime Minister', 'the actor'): it stays in the question,
    or is deleted with the name. Forms of address such as 'Mr.', 'Dr.' and 'Queen' are always deleted."""
    repair_phrases: AddedRule = True
    """Correct noun phrases that the parser split or joined wrongly."""
    refuse_introductions: AddedRule = True
    """Refuse a sentence that announces another text ('Here is the text of …:')."""
    refuse_reader_address: AddedRule = True
    """Refuse a sentence that addresses the reader, asks a question or mentions its writer."""
    refuse_joined_sentences: AddedRule = True
    """Refuse a first sentence that is in fact several sentences, a dialogue, or a quotation signed by its speaker."""
    refuse_embedded_posts: AddedRule = True
    """Refuse a sentence with a web address or an embedded post."""
    refuse_broken_text: AddedRule = True
    """Refuse a sentence with damaged characters or lost apostrophes."""
    refuse_fragments: AddedRule = True
    """Refuse text that lacks a main clause with a finite verb, such as bylines, captions and headlines."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if no length of a sentence is allowed."""
        refuse_empty_range("questions.min_tokens", self.min_tokens, "questions.max_tokens", self.max_tokens)
