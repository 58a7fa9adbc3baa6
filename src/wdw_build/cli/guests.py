"""The commands for studies with people, which the entry points of pyproject.toml name."""

from wdw_build.cli.app import Actions, Entry

_CLI = "wdw_build.cli"

_SERVE = f"{_CLI}.serve"
_PEOPLE = f"{_CLI}.people"


def _study(target: str, help: str) -> Entry:
    return Entry(target, help, extra="study")


ANNOTATE = Actions(
    "let people answer problems on web pages, and score their answers",
    {
        "serve": Entry(
            f"{_SERVE}:annotate",
            "sample a sheet of problems and serve its pages (the default action)",
            "--problems 50 -c FILE",
            extra="study",
        ),
        "score": _study(
            f"{_PEOPLE}.annotate_score:annotate_score",
            "print people's accuracy and agreement, reported faults, and disagreements",
        ),
        "export": _study(
            f"{_PEOPLE}.annotate_score:annotate_export",
            "write each person's answers as JSON lines and CSV, and for Label Studio",
        ),
        "apply": _study(
            f"{_PEOPLE}.annotate_score:annotate_apply",
            "write the problems with confirmed faults to a file, for corpus.faulty_problems",
        ),
        "forget": _study(f"{_PEOPLE}.forgotten:annotate", "show, or delete, a person's work on the sheet"),
    },
    default="serve",
)

COLLECT = Actions(
    "let people write questions about corpus passages, as in QUOREF",
    {
        "serve": Entry(
            f"{_SERVE}:collect",
            "sample passages and serve the pages (the default action)",
            "--passages 20 -c FILE",
            extra="study",
        ),
        "export": _study(f"{_PEOPLE}.collect:export", "write the questions in QUOREF's JSON format"),
        "score": _study(
            f"{_PEOPLE}.collect:score",
            "print Table 1, the refused questions, and exact match and F1 of people and the adversary",
        ),
        "forget": _study(f"{_PEOPLE}.forgotten:collect", "show, or delete, a person's work in the collection"),
    },
    default="serve",
)

QUALITY = Actions(
    "estimate which reading skills a sample of problems requires",
    {
        "phenomena": _study(
            f"{_PEOPLE}.quality:phenomena",
            "estimate how many answers need coreference, and compare the estimate with people's labels",
        )
    },
)
