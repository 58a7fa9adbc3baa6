"""A small pool of invented names, and pseudonyms of one problem by it."""

import msgspec

from support import fakes, make
from wdw_build.core.hashing import uniform_hash
from wdw_build.text.names.evidence import NO_EVIDENCE
from wdw_build.text.pseudonyms.people import tagged_persons
from wdw_build.text.pseudonyms.pool import NamePool, Origin
from wdw_build.text.pseudonyms.rename import pseudonyms_of

NORTH = Origin("north", ("Aune", "Eila", "Kerttu"), ("Eero", "Tapio", "Urho"), ("Ahlroos", "Heinola", "Vuorikoski"))
SOUTH = Origin("south", ("Chiara", "Lucia"), ("Dario", "Fulvio"), ("Bertolli", "Zanetti", "Quaranta", "Fontanella"))
POOL = NamePool((NORTH, SOUTH), frozenset({"mary", "carla"}), frozenset({"john", "tom"}))


class SmallPool:
    """``SurrogateNames`` with ``POOL``."""

    identity = "small pool"
    pool = POOL


def renamed_problem(passage, question, names, choices, *, title="", others=(), evidence=NO_EVIDENCE, seed=0, pool=POOL):
    """The pseudonyms of a problem whose answer is the first choice, or why there are none.

    ``names`` are tagged in the passage; the blank of the question is the first choice.
    """
    annotator = fakes.RuleAnnotator(names)
    answer = choices[0] if isinstance(choices[0], str) else choices[0][0]
    asked = make.question("q", question, answer, others=others)
    problem = make.problem("q", asked, passage, choices, 0)
    problem = msgspec.structs.replace(problem, passage=msgspec.structs.replace(problem.passage, title=title))
    entities = tagged_persons(annotator.annotate([("p", passage)])[0], passage, evidence)

    def draw(purpose):
        return uniform_hash(seed, "pseudonyms", f"q\x1f{purpose}")

    return pseudonyms_of(problem, entities, pool, pool.without(frozenset()), evidence, draw)


def rewritten(text, replacements, form="surrogate"):
    """A text with its replacements."""
    parts, end = [], 0
    for one in replacements:
        assert end <= one.start < one.end
        parts += [text[end : one.start], getattr(one, form)]
        end = one.end
    return "".join([*parts, text[end:]])
