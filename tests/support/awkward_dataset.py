"""A dataset of four problems over five raw articles, awkward on purpose: datelines, credits, line breaks, markup, emoji.

For the tests of the exports: articles go through the real ``ingest``, problems are made from what comes out.
"""

import re

import msgspec

from support import fakes, make, stage_runs
from wdw_build.records import Choice, Mention, Span, SplitAssignment
from wdw_build.stages import ingest

LEVELS = {
    "q1": ("strict", "train"),
    "q2": ("relaxed", "train"),
    "q3": ("strict", "validation"),
    "q4": ("strict", "test"),
}
# The deleted phrase and the name within it, as the texts have them.
BLANKS = {
    "q1": ("Mayor Ann  Ames", "Ann  Ames"),
    "q2": ("Bob\nBeck", "Bob\nBeck"),
    "q3": ("Zoë Zane", "Zoë Zane"),
    "q4": ("Ann Ames", "Ann Ames"),
}
CHOICES = {
    "q1": ("Ann Ames", "Carl Cole"),
    "q2": ("Bob Beck", "Dora D'Arcy"),
    "q3": ("Ann Ames", "Zoë Zane", "Carl Cole"),
    "q4": ("Carl Cole", "Ann Ames"),
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


def _mentions(text, name):
    """Where a passage names a person: the full name over any white space, and by its last word alone."""
    full, last = r"\s+".join(map(re.escape, name.split())), re.escape(name.split()[-1])
    return tuple(Span(start=one.start(), end=one.end()) for one in re.finditer(rf"{full}|\b{last}\b", text))


def _question(article):
    sentence = article.paragraphs[0]
    phrase, name = BLANKS[article.id]
    asked = make.question(article.id, sentence, phrase, person=name, date=article.date)
    start = sentence.index(name, asked.blank.start)
    return msgspec.structs.replace(
        asked, source=article.source, name=Mention(start=start, end=start + len(name), text=name)
    )


def dataset(folder, **settings):
    """(problem, placed) of the four problems, in the order of ``split``."""
    section = ingest.STAGE.config(**{"judge_kinds": False} | settings)
    articles = stage_runs.run_stage(ingest.STAGE, folder, section=section, reader=fakes.ListReader(raws())).records
    told = articles["told"]
    assert told.dateline
    assert len(told.paragraphs) == 2
    made = []
    for name, names in CHOICES.items():
        problem = make.problem(name, _question(articles[name]), told.text, names, 0, article_id="told")
        choices = tuple(Choice(name=one, mentions=_mentions(told.text, one)) for one in names)
        answer = next(at for at, one in enumerate(names) if one.split()[-1] in BLANKS[name][1])
        passage = msgspec.structs.replace(problem.passage, source=told.source, title=told.title, date=told.date)
        problem = msgspec.structs.replace(problem, passage=passage, choices=choices, answer=answer)
        level, split = LEVELS[name]
        made.append((problem, SplitAssignment(id=name, date=problem.date, level=level, split=split)))
    return made
