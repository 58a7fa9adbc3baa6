"""A dataset of four problems over five raw articles, awkward on purpose: datelines, credits, line breaks, markup, emoji.

For the tests of the exports: articles go through the real ``ingest``, problems are made from what comes out.
"""

import msgspec

from support import fakes, make, stage_runs
from wdw_build.stages import ingest

# Level and split, the deleted phrase and the name within it, as the texts have them, and the choices.
PROBLEMS = {
    "q1": ("strict", "train", "Mayor Ann  Ames", "Ann  Ames", ("Ann Ames", "Carl Cole")),
    "q2": ("relaxed", "train", "Bob\nBeck", "Bob\nBeck", ("Bob Beck", "Dora D'Arcy")),
    "q3": ("strict", "validation", "Zoë Zane", "Zoë Zane", ("Ann Ames", "Zoë Zane", "Carl Cole")),
    "q4": ("strict", "test", "Ann Ames", "Ann Ames", ("Carl Cole", "Ann Ames")),
}
TEXTS = {
    "q1": (
        "PORT ANSEL (HP) -- Mayor Ann  Ames met Bob\nBeck in the port of Grey Haven again, at last.",
        "More followed.",
    ),
    "q2": (
        'GREY HAVEN, Estmark (HP) -- "No <b>," said Dora Finch & Bob\nBeck 🙂 to the whole of\u2028Estmark, again.',
    ),
    "q3": (
        "By Ann Author",
        'The café\'s owner, Zoë Zane, won the "3:1" cup from old Bert Brand on a\tTuesday ]]> night.',
    ),
    "q4": ("Then Ann Ames left Rick Rose in the port of Grey Haven for good and all, it seems today.",),
    "told": (
        "PORT ANSEL (HP) -- Ann Ames, the mayor, spoke to Bob Beck. Mr. Beck did not answer her.",
        "(AP Photo/Pat Print)",
        'Carl\nCole & <Dora D\'Arcy> left: "3:1"! Ames won, said Zoë Zane-led crowds.\u2028Carl Cole wept; Zoë Zane 🙂.',
    ),
}


def raws():
    """The corpus, as a reader gives it."""
    return [make.raw(name, paragraphs=paragraphs) for name, paragraphs in TEXTS.items()]


def dataset(folder, **settings):
    """(problem, placed) of the four problems, in the order of ``split``."""
    section = ingest.STAGE.config(**{"judge_kinds": False} | settings)
    articles = stage_runs.run_stage(ingest.STAGE, folder, section=section, reader=fakes.ListReader(raws())).records
    told = articles["told"]
    assert told.dateline
    assert len(told.paragraphs) == 2
    made = []
    for name, (level, split, phrase, person, choices) in PROBLEMS.items():
        asked = make.question(name, articles[name].paragraphs[0], phrase, person=person, date=articles[name].date)
        forms = [(one, one.replace(" ", "\n"), one.split()[-1]) for one in choices]
        answer = choices.index(" ".join(person.split()))
        problem = make.problem(name, asked, told.text, forms, answer, article_id="told", passage_date=told.date)
        passage = msgspec.structs.replace(problem.passage, source=told.source, title=told.title)
        problem = msgspec.structs.replace(problem, passage=passage)
        made.append(make.placed(problem, level, split))
    return made
