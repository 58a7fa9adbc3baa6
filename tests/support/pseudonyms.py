"""The pseudonyms of one problem."""

import msgspec

from support import fakes, make
from wdw_build.core.hashing import uniform_hash
from wdw_build.text.names.evidence import NO_EVIDENCE
from wdw_build.text.pseudonyms.codes import pseudonyms_of
from wdw_build.text.pseudonyms.persons import tagged_persons


def renamed_problem(passage, question, names, choices, *, title="", others=(), evidence=NO_EVIDENCE, seed=0):
    """The pseudonyms of a problem whose answer is the first choice, or why there are none.

    ``names`` are tagged in the passage; the blank of the question is the first choice.
    """
    annotator = fakes.RuleAnnotator(names)
    answer = choices[0] if isinstance(choices[0], str) else choices[0][0]
    problem = make.problem("q", make.question("q", question, answer, others=others), passage, choices, 0)
    problem = msgspec.structs.replace(problem, passage=msgspec.structs.replace(problem.passage, title=title))
    entities = tagged_persons(annotator.annotate([("p", passage)])[0], passage, evidence)

    def draw(purpose):
        return uniform_hash(seed, "pseudonyms", f"q\x1f{purpose}")

    return pseudonyms_of(problem, entities, evidence, draw)


def rewritten(text, replacements):
    """A text with its replacements."""
    parts, end = [], 0
    for one in replacements:
        assert end <= one.start < one.end
        parts += [text[end : one.start], one.code]
        end = one.end
    return "".join([*parts, text[end:]])
