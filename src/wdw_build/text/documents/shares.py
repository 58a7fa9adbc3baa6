"""How many documents of a corpus are of each kind, with an example of each."""

from __future__ import annotations

from wdw_build.records import Article, RawArticle, Rejection
from wdw_build.text.documents.kinds import KINDS, STORY, DocumentKind
from wdw_build.text.example_counts import ExampleCounts, most_frequent_first

NOT_A_STORY = "not-a-story"
_LONGEST_SHOWN = 60


def rejection_of(raw: RawArticle, kind: DocumentKind) -> Rejection:
    """The rejection of a document for its kind; if the reader did not give it, with its probability and the text's beginning."""
    judged = f", probability {kind.score:.2f}: {_excerpt(raw.paragraphs)}" if raw.kind == STORY else ""
    return Rejection(id=raw.own_id, reason=NOT_A_STORY, detail=f"{kind.kind}{judged}")


def _excerpt(paragraphs: tuple[str, ...]) -> str:
    return repr(" ".join(paragraphs[0].split())[:_LONGEST_SHOWN]) if paragraphs else ""


class KindShares(ExampleCounts):
    """Counts the documents of each kind, and keeps the first one as an example."""

    def count(self, result: Article | Rejection) -> None:
        """Count an article, or a rejection for the kind; other rejections do not count."""
        if isinstance(result, Article):
            self.note(result.kind, f"{_excerpt(result.paragraphs)} ({result.id})")
        elif result.reason == NOT_A_STORY:
            kind, _, shown = result.detail.partition(",")
            excerpt = shown.partition(": ")[2]
            self.note(kind, f"{excerpt} ({result.id})" if excerpt else result.id)

    @property
    def rows(self) -> list[tuple[str, int, float, str]]:
        """The kinds, the most frequent first: name, number, share, and an example."""
        total = sum(self.counts.values())
        return [(kind, count, count / total, self.examples[kind]) for kind, count in most_frequent_first(self.counts)]

    @property
    def lines(self) -> list[str]:
        """A line for each kind, if there are several."""
        lines = [
            f"{count:,} of {sum(self.counts.values()):,} articles ({share:.1%}) are of the kind {kind}"
            f"{f' ({KINDS[kind]})' if kind in KINDS else ''}, such as {example}"
            for kind, count, share, example in self.rows
        ]
        return lines if len(lines) > 1 else []
