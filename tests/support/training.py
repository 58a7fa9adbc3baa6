"""A small run in which alternatives have each kind of contact with the one held-out problem ``h`` of day 10."""

import msgspec

from support import make
from support.make import day
from support.stage_runs import stored
from wdw_build.pipeline.stage_order import BY_NAME
from wdw_build.records import Article, Rejection, SplitAssignment, SuppressionDecision

HELD_OUT = "Rosalind Peake sold the old island ferry to Joseph Banda on Monday ."
IN_HELD_OUT = "Ann Away praised the new mountain railway to Bob Brook on Friday ."

BOTH = ["Rosalind Peake", "Joseph Banda"]
MET = "Ann Aevent saw Rosalind Peake and Joseph Banda there ."
TELLS = "Ann Atells saw Rosalind Peake sell an island ferry to Joseph Banda ."
TOLD = "Joseph Banda bought an island ferry of Rosalind Peake ."
BEFORE_IT = {"date": 9, "passage_date": 3}


def problem(name, sentence=None, blank=None, *, others=None, passage="", article=None, date=5, passage_date=None):
    """A problem about persons of its own, unless the sentence is given. Dates are numbers of days."""
    blank = blank or f"Ann A{name}"
    sentence = sentence or f"{blank} met Bob B{name} at a fair for w{name} ."
    others = others if others is not None else [f"Bob B{name}"]
    asked = make.question(name, sentence, blank, others=others, date=day(date))
    text = f"{blank} came. Tom T{name} left. {passage}".strip()
    near = day(date if passage_date is None else passage_date)
    return make.problem(name, asked, text, [blank, f"Tom T{name}"], 0, article_id=article, passage_date=near)


HELD = problem("h", HELD_OUT, "Rosalind Peake", others=["Joseph Banda"], passage=f"{IN_HELD_OUT[:-2]}.", date=10)
CLEAN = [problem("clean"), problem("clean", article="clean-other")]
# Article -> its alternatives, each with the reason for which it is left out; empty if it is for training.
CASES = {
    "clean": [(one, "") for one in CLEAN],
    "late": [(problem("late", date=10), "time")],
    "out": [(problem("out"), "omitted")],
    "passage": [(problem("passage"), ""), (problem("passage", article="h-passage"), "article")],
    "question": [(problem("question", article="h", passage_date=10), "article")],
    "event": [
        (problem("event", MET, others=BOTH), ""),
        (problem("event", MET, others=BOTH, article="event-near", passage_date=9), "event"),
    ],
    "tells": [(problem("tells", TELLS, others=BOTH, **BEFORE_IT), "told")],
    "told": [(problem("told", TOLD, "Joseph Banda", others=["Rosalind Peake"], **BEFORE_IT), "told")],
    "quotes": [(problem("quotes"), ""), (problem("quotes", passage=f"{HELD_OUT[:-2]}.", article="quoting"), "told")],
    "quoted": [(problem("quoted", IN_HELD_OUT, "Ann Away", others=["Bob Brook"]), "told")],
}
OMITTED = Rejection(id="out", reason="omitted", detail="two answers")
TRAINING = [f"{name}~{number}" for name, cases in CASES.items() for number, (_, why) in enumerate(cases) if not why]
LEFT_OUT = {
    reason: sum(why == reason for cases in CASES.values() for _, why in cases)
    for reason in ("time", "omitted", "article", "event", "told")
}


def outputs(folder, cases=CASES, held_out=(HELD,)):
    """The stored outputs that decide which alternatives are for training."""
    records = [make.alternatives(*(one for one, _ in found)) for found in cases.values()]
    records += [make.alternatives(one) for one in held_out]
    problems = [one for found in cases.values() for one, _ in found] + list(held_out)
    kept = [
        SuppressionDecision(id=one.id, date=one.date, choices=2, cell="0000", draw=0.5, strict=one.id == "h")
        for one in records
    ]
    # Two more strict problems.
    strict = [msgspec.structs.replace(one, strict=True) if one.id in {"clean", "event"} else one for one in kept]
    placed = [SplitAssignment(id=one.id, date=one.date, level="strict", split="test") for one in held_out]
    given = {
        "dedup": records,
        "suppress": strict,
        "problems": list(held_out),
        "ingest": list({one.id: one for one in make.passage_articles(*problems)}.values()),
    }
    found = {name: stored(folder / name, BY_NAME[name].writes, values) for name, values in given.items()}
    found["ingest"] = stored(folder / "ingest", Article, given["ingest"])
    return found | {"split": stored(folder / "split", SplitAssignment, placed, [OMITTED])}
