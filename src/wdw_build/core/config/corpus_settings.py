"""The sections ``corpus``, ``nlp`` and ``release``: the articles, the models that annotate them, and the datasheet."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, field

from wdw_build.core.config.section import AddedRule, Section


class CorpusConfig(Section, frozen=True):
    """Where the corpus is and how to read it."""

    reader: str
    """Name of a corpus reader: one in docs/reference/readers.md, or one that another package adds by entry point."""
    path: str
    """File, folder, glob, or - for standard input; a relative path is relative to the folder of the configuration
    file."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the reader, see docs/reference/readers.md."""
    faulty_problems: tuple[str, ...] = ()
    """Files of annotate apply: problems that people found faulty. Their articles give no problem."""


class NlpConfig(Section, frozen=True):
    """The models that annotate text, and how their results are corrected."""

    models: str = "bundled"
    """bundled (shipped with the package), en (the full Stanza English package), or a folder."""
    max_sentence_tokens: Annotated[int, Meta(ge=50)] = 400
    """Longer sentences of a passage are split into pieces of this many tokens."""
    second_opinion: AddedRule = True
    """A second tagger reads the sentences in which the first one finds a person, and the results of both are
    combined."""
    repair_mentions: AddedRule = True
    """Extend a person's mention to whole written words (Chen Shui-bian) and over a nickname, and remove web handles,
    slashes, the full stop of the sentence and an office before the name."""
    document_level_names: AddedRule = True
    """Decide once per passage whether a name is a person, from all of its mentions."""


class ReleaseConfig(Section, frozen=True):
    """Statements for the datasheet and the cards of the exports, which change no problem. Empty: not stated."""

    title: str = ""
    """Name of the dataset."""
    version: str = ""
    """Version of the dataset, such as the month of its test set."""
    authors: tuple[str, ...] = ()
    """Names of the authors of the dataset."""
    licence: str = ""
    """Licence of the dataset."""
    source_licence: str = ""
    """Licence of the source articles."""
    contact: str = ""
    """Address for questions about the dataset."""
    citation: str = ""
    """How to cite the dataset."""
