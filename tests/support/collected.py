"""An invented collection: two passages, a fake adversary, and what people did with them."""

from wdw_build.ports import SpanAnswer
from wdw_study.collecting.collection import Collection, CollectionFolder
from wdw_study.collecting.passages import Passage, places
from wdw_study.collecting.questions import WRITTEN, AdversaryAnswer, Written
from wdw_study.collecting.rules import Limits
from wdw_study.folder import items_hash

HARBOUR = (
    "Ines Dahl has run the port of Vessing for nine years. On Monday the harbour master closed its northern pier.\n\n"
    "Her deputy Tomas Reik had warned of rust. He told the council that the steel was old. His brother Jonas built the crane."
)
CHOIR = (
    "Mira Olt 🎵 leads the choir. She hired Bela Fenn in May. The tenor had sung in Vessing, and she liked his voice."
)


def sentence_spans(text):
    """Start and end of each sentence of the invented passages, in which every full stop ends one."""
    spans, start = [], 0
    for piece in text.replace("\n\n", "  ").split(". "):
        end = start + len(piece) + (1 if start + len(piece) < len(text) else 0)
        spans.append((start, end))
        start = end + 1
    return tuple(spans)


def passage(name, text):
    return Passage(
        id=name, article=f"a-{name}", title=f"About {name}", date="2014-03-01", source="Wire", text=text,
        sentences=sentence_spans(text),
    )  # fmt: skip


PASSAGES = (passage("harbour", HARBOUR), passage("choir", CHOIR))


def span(text, answer):
    return places(text, answer)[0]


class FakeAdversary:
    """Answers what it was told to answer, and nothing to all other questions."""

    identity = "fake 1"

    def __init__(self, answers=None):
        self.answers, self.asked = dict(answers or {}), []

    def answer(self, passage, question):
        self.asked.append(question)
        given = self.answers.get(question, ())
        if isinstance(given, Exception):
            raise given
        return SpanAnswer(given, 0.5)


def collection_folder(run_folder, passages=PASSAGES, name="questions", adversary="shallow"):
    """A collection with the invented passages and no events in the folder of a run."""
    collection = Collection(
        name=name, hash=items_hash(passages), run="toy", seed=0, passages=len(passages), max_words=400,
        limits=Limits(), adversary=adversary,
    )  # fmt: skip
    return CollectionFolder.create(run_folder, collection, passages)


def write(opened, person, passage, question, *answers, adversary=("nothing",)):
    """Append a question without checking it; returns its id."""
    spans = tuple(span(passage.text, answer) for answer in answers)
    answer = AdversaryAnswer("fake 1", adversary, 0.5) if adversary is not None else None
    event = opened.log.append(person, WRITTEN, passage.id, Written(question, spans, answer))
    return f"{passage.id}-{event.number}"
