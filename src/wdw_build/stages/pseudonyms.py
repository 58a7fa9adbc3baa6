"""pseudonyms: a code for every person of a problem, and all places where the person is named.

The persons are the choices, the other persons that the model tagged in the passage, and the persons of the question. The
numbers of the codes are drawn by hashes of seed and problem. A problem with a name that cannot be replaced is rejected here;
it stays in the dataset, but not in exports with codes. The stage runs only if names are replaced. The paper has no such
step.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.core.rule import Rule
from wdw_build.core.section import Section
from wdw_build.core.stage import SEED, Context, Stage, blocks, by_seed
from wdw_build.ports import ANNOTATIONS
from wdw_build.records import Problem, Pseudonyms, Record, Rejection
from wdw_build.text.names.evidence import read_names
from wdw_build.text.pseudonyms.codes import Refused, code_draw, pseudonyms_of
from wdw_build.text.pseudonyms.persons import tagged_persons

_BLOCK = 64


def run(inputs: Iterator[Problem], config: Section, context: Context) -> Iterator[Record | Rejection]:
    """Assign a code to every person in a problem, and find all mentions of the person."""
    evidence = read_names(context.inputs["names"].folder)
    annotations = context.port(ANNOTATIONS)
    for problems in blocks(inputs, _BLOCK):
        passages = {problem.passage.article: context.find("ingest", problem.passage.article) for problem in problems}
        persons = annotations.annotate(list(passages.values()))
        for problem in problems:
            entities = tagged_persons(persons[problem.passage.article], problem.passage.text, evidence)
            result = pseudonyms_of(problem, entities, evidence, code_draw(context.seed, "pseudonyms", problem.id))
            yield Rejection(id=problem.id, **result._asdict()) if isinstance(result, Refused) else result
    annotations.flush()


STAGE = Stage(
    name="pseudonyms",
    version=15,
    reads=("problems", "ingest", "names"),
    writes=Pseudonyms,
    run=run,
    shares={SEED: by_seed},
    ports=(ANNOTATIONS,),
    block=_BLOCK,
    reasons={
        "ambiguous-name": Rule(
            "a capitalised word of a person's name may mean a place, an organisation, an ordinary word or a relative"
        ),
        "name-left": Rule(
            "a tagged name has no replaceable word, or a word of a person's name remains after the replacement"
        ),
    },
)
