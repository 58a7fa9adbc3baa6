"""The sections ``corpus``, ``nlp`` and ``release``: the articles, the models that annotate them, and the datasheet."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, field

from wdw_build.core.config.section import AddedRule, Section


class CorpusConfig(Section, frozen=True):
    """Where the corpus is and how to read it."""

    reader: str
    """Name of a corpus reader: one in docs/reference/readers.md, or one that another package adds."""
    path: str
    """File, folder, glob, or - for standard input."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the reader."""
    faulty_problems: tuple[str, ...] = ()
    """Files that annotate apply wrote: problems that people found faulty. Their articles give no problem."""


class NlpConfig(Section, frozen=True):
    """The models that annotate text, and how their results are corrected."""

    models: str = "bundled"
    """bundled with this package, en (the full Stanza English package), or a folder."""
    max_sentence_tokens: Annotated[int, Meta(ge=50)] = 400
    """Longer sentences of a passage are split into pieces of this many tokens."""
    second_opinion: AddedRule = True
    """Combine the tagger with a second one, which reads the sentences in which the first one finds a person."""
    repair_mentions: AddedRule = True
    """Extend a person's mention to whole written words (Chen Shui-bian) and over a nickname, and remove web handles,
    slashes, the sentence's full stop and an office before the name."""
    document_level_names: AddedRule = True
    """Decide once per passage, from all mentions of a name, whether it is a person."""


class ReleaseConfig(Section, frozen=True):
    """Statements on the dataset for its datasheet and the cards of the exports. Empty: not stated."""

    title: str = ""
    """Name."""
    version: str = ""
    """Version, such as the month of the test set."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    licence: str = ""
    """Licence of the dataset."""
    source_licence: str = ""
    """Licence of the source articles."""
    contact: str = ""
    """Address for questions."""
    citation: str = ""
    """How to cite it."""
