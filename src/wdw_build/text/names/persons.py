"""The persons of a text with tagged mentions, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.records import Mention
from wdw_build.text.names.entities import Entity, group, only_persons
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.settings import ChoicesConfig
from wdw_build.text.names.settle import join_adjacent, settle
from wdw_build.text.names.unmarked import with_unmarked


def persons_of_text(
    text: str, tagged: Sequence[Mention], config: ChoicesConfig, evidence: NameEvidence = NO_EVIDENCE
) -> list[Entity]:
    """The persons of a text with tagged mentions, misspelt names included, in the order of their first mention."""
    mentions = settled = join_adjacent(tagged, text)
    if config.merge_forms:
        mentions = settled = settle(mentions, text, evidence)
    if config.refuse_non_persons:
        mentions = only_persons(mentions, text, evidence)
    if config.merge_forms:
        refused = (mention for mention in settled if mention not in mentions)
        mentions = with_unmarked(mentions, refused, text, evidence)
    return group(mentions, config.keep_namesakes)
