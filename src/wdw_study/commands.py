"""The commands that this package adds to ``wdw-build``."""

from wdw_build.cli.app import Actions, Entry


def _entry(target: str, help: str, example: str = "-c FILE") -> Entry:
    return Entry(f"wdw_study.cli:{target}", help, example, extra="study")


_FORGET = "show, or delete, a person's work"

ANNOTATE = Actions(
    "let people answer problems on web pages, and score their answers",
    {
        "serve": _entry("serve_sheet", "sample a sheet of problems and serve its pages", "--problems 50 -c FILE"),
        "import": _entry(
            "import_sheet", "add answers from a table in the form of judgements.csv", "judgements.csv -c FILE"
        ),
        "score": _entry("score_sheet", "print people's accuracy and agreement, reported faults, and disagreements"),
        "export": _entry("export_sheet", "write each person's answers as CSV, and for Label Studio"),
        "apply": _entry(
            "apply_sheet", "write the problems with confirmed faults to a file, for corpus.faulty_problems"
        ),
        "forget": _entry("forget_sheet", _FORGET, "NAME -c FILE"),
    },
    default="serve",
)
COLLECT = Actions(
    "let people write questions about corpus passages, as in QUOREF",
    {
        "serve": _entry("serve_collection", "sample passages and serve the pages", "--passages 20 -c FILE"),
        "export": _entry("export_collection", "write the questions in QUOREF's JSON format"),
        "score": _entry(
            "score_collection",
            "print Table 1, the refused questions, and exact match and F1 of people and the adversary",
        ),
        "forget": _entry("forget_collection", _FORGET, "NAME -c FILE"),
    },
    default="serve",
)
QUALITY = Actions(
    "estimate which reading skills a sample of problems requires",
    {
        "phenomena": _entry(
            "phenomena", "estimate how many answers need coreference, and compare the estimate with people's labels"
        )
    },
)
