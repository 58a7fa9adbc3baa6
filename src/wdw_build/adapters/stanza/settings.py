"""The section ``nlp``."""

from __future__ import annotations

from wdw_build.core.section import AddedRule, Section


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
