"""The commands ``annotate``, ``collect`` and ``quality``, which the entry points of pyproject.toml name."""

from wdw_build.command import Actions, Entry


def _action(function: str, help: str, example: str = "") -> Entry:
    return Entry(f"wdw_study.cli:{function}", help, example, extra="study")


ANNOTATE = Actions(
    "let people (on web pages) or a model answer problems, and score the answers",
    {
        "serve": _action(
            "annotate",
            "sample a sheet of problems, and serve its pages or let a model answer it (the default action)",
            "--problems 50 -c FILE",
        ),
        "import": _action("import_answers", "add answers from a table in the form of judgements.csv"),
        "score": _action("score_sheet", "print people's accuracy and agreement, reported faults, and disagreements"),
        "export": _action("export_sheet", "write each person's and model's answers as CSV, and for Label Studio"),
        "apply": _action(
            "apply_faults",
            "write the problems with confirmed faults to a file, for corpus.omitted_problems or corpus.faulty_problems",
        ),
        "forget": _action("forget_annotator", "show, or delete, a person's work on the sheet"),
    },
    default="serve",
)
COLLECT = Actions(
    "let people write questions about corpus passages, as in QUOREF",
    {
        "serve": _action(
            "collect", "sample passages and serve the pages (the default action)", "--passages 20 -c FILE"
        ),
        "export": _action("export_questions", "write the questions in QUOREF's JSON format"),
        "score": _action(
            "score_questions", "print Table 1, the refused questions, and EM and F1 of people and the model"
        ),
        "forget": _action("forget_writer", "show, or delete, a person's work in the collection"),
    },
    default="serve",
)
QUALITY = Actions(
    "estimate which reading skills a sample of problems requires",
    {
        "phenomena": _action(
            "phenomena", "estimate how many answers need coreference, and compare the estimate with people's labels"
        )
    },
)
