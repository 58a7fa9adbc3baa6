"""The section ``ingest``: what counts as an article, and what is cut from its text."""

from __future__ import annotations

from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from wdw_build.core.section import AddedRule, Section, Share
from wdw_build.errors import ConfigError
from wdw_build.text.document_kinds import STORY


class IngestConfig(Section, frozen=True):
    """What counts as an article."""

    kinds: tuple[str, ...] = ("story",)
    """Kinds of articles to keep, such as `story`, `brief` and `transcript` (docs/reference/algorithm.md); empty: all kinds."""
    judge_kinds: AddedRule = True
    """Find out what kind of document a text is that the reader calls a story: a caption, a list, another language."""
    date_formats: tuple[str, ...] = ()
    """Date formats besides ISO 8601 and dates with a month name: strptime codes, `epoch`, `day-first` or `month-first`.
    Empty: YYYYMMDD, and numeric dates (05/09/2016) in the order that fits the whole corpus."""
    time_zone: str = ""
    """Convert timestamps with a time zone to this zone, such as `America/New_York`. Empty: keep the day as written."""
    cut_credits: AddedRule = True
    """Remove credits, bylines, photo lines and notes to editors from the text."""
    cut_openings: AddedRule = True
    """Remove headlines, captions and other text before the first sentence, and page text inside the story."""
    mark_page_text: AddedRule = True
    """Remove also the page text that a trained tagger finds, with `cut_openings`; not from wires."""
    repair_text: AddedRule = True
    """Repair wrongly decoded characters, lost apostrophes and spaces, tokenised text and marks of Markdown."""
    profiles: dict[str, Literal["wire", "pages"]] = msgspec.field(default_factory=dict)
    """Source -> `wire`, which loses only datelines, credits and notes, or `pages`, which lose also openings and page text. Other
    sources get the profile that their texts show."""
    reject_copies: AddedRule = True
    """Reject an article that has the text of an earlier one, word for word or nearly so."""
    max_bad_input: Share = 0.01
    """The run fails if a larger share of entries is unreadable."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for an unknown time zone."""
        try:
            _ = ZoneInfo(self.time_zone) if self.time_zone else None
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            hint = "use a name of the IANA database, such as UTC or America/New_York (pip install tzdata installs it)"
            raise ConfigError(f"ingest.time_zone: no zone {self.time_zone!r}", hint=hint) from error

    def may_keep(self, kind: str) -> bool:
        """Whether an article may be kept to which the reader gives this kind."""
        return not self.kinds or kind in self.kinds or (self.judge_kinds and kind == STORY)
