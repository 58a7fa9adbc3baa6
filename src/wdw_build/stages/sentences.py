"""sentences: tokenises the first sentence of each article and tags its names (the input of Algorithm 1).

The stage stores all sentences, including those that give no question. The stage ``names`` counts the names of all
sentences, and after a change to a rule of ``questions`` only the parser runs again.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.core.section import Section
from wdw_build.core.stage import Context, Stage, blocks
from wdw_build.ports import ANNOTATIONS, CachedAnnotator
from wdw_build.records import Article, FirstSentence, Record, Rejection, Tokens

# Larger blocks are no quicker, and a small corpus would have one, and so one worker.
_BLOCK = 256
# A first paragraph of white space has no tokens; ``questions`` rejects it as too short.
_NO_TOKENS = Tokens(text="", words=(), spans=())


def _first_sentences(articles: list[Article], annotator: CachedAnnotator) -> Iterator[Record | Rejection]:
    firsts = [
        tokens or _NO_TOKENS for tokens in annotator.first_sentences([article.paragraphs[0] for article in articles])
    ]
    for article, tokens, names in zip(articles, firsts, annotator.names(firsts), strict=True):
        yield FirstSentence(id=article.id, text=tokens.text, words=tokens.words, spans=tokens.spans, names=names)


def run(inputs: Iterator[Article], config: Section, context: Context) -> Iterator[Record | Rejection]:
    """Tokenise and tag the first sentence of each article."""
    annotator = context.port(ANNOTATIONS)
    for articles in blocks(inputs, _BLOCK):
        yield from _first_sentences(articles, annotator)
    annotator.flush()


STAGE = Stage(
    name="sentences",
    version=3,
    reads=("ingest",),
    writes=FirstSentence,
    run=run,
    ports=(ANNOTATIONS,),
    block=_BLOCK,
)
