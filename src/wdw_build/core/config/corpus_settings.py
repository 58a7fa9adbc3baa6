"""The sections ``corpus``, ``nlp`` and ``release``: the articles, the models that annotate them, and the datasheet."""

from __future__ import annotations

from typing import Any

from msgspec import field

from wdw_build.core.config.section import AddedRule, Section


class CorpusConfig(Section, frozen=True):
    """Where the corpus is, and how it is read."""

    reader: str
    """A corpus reader from docs/reference/readers.md, or from another package."""
    path: str
    """File, folder or glob."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the corpus reader."""
    faulty_problems: tuple[str, ...] = ()
    """Files from `annotate apply`. The articles of the faulty problems in these files are not used."""


class NlpConfig(Section, frozen=True):
    """The models that annotate text, and how their results are corrected."""

    models: str = "bundled"
    """`bundled`: the models of this package; `en`: Stanza's full English package; or a folder of models."""
    second_opinion: AddedRule = True
    """Use a second tagger to check sentences in which the first tagger finds a person."""
    repair_mentions: AddedRule = True
    """Correct the boundaries of persons' names, such as Chen Shui-bian, and remove web handles and offices."""
    document_level_names: AddedRule = True
    """Decide once per passage, from all mentions of a name, whether it is a person."""


class ReleaseConfig(Section, frozen=True):
    """Statements about the dataset, for its datasheet and export cards. Empty: not stated."""

    title: str = ""
    """Name of the dataset."""
    version: str = ""
    """Version, such as the month of the test set."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    licence: str = ""
    """Licence of the dataset."""
    source_licence: str = ""
    """Licence of the source articles."""
    contact: str = ""
    """Contact address for questions."""
    citation: str = ""
    """How to cite the dataset."""
