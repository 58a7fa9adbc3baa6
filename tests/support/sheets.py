"""Makes sheets on disk, without a run."""

from wdw_study.folder import items_hash
from wdw_study.judging.sheets import Sheet, SheetFolder, SheetProblem

NAMES = ("Ann Ames", "Bob Beck", "Cy Cole", "Dan Dorn")


def sheet_problem(number, **more):
    """Problem `q<number>`; the key is Ann Ames, and one of the baselines is right."""
    given = {
        "number": number,
        "id": f"q{number}",
        "question": f"XXX told Bob Bell that bridge {number} must close.",
        "passage": f"Bridge {number} is old.\n\nAnn Ames said so, and Bob Beck came.",
        "choices": NAMES[: 2 + number % 3],
        "answer": 0,
        "split": "test",
        "level": "strict",
        "guesses": {"first-person": 0, "unigram": 1},
    }
    return SheetProblem(**(given | more))


def sheet(problems, **more):
    given = {
        "name": "toy",
        "hash": items_hash(problems),
        "run": "toy",
        "task": "answer",
        "condition": "passage",
        "seed": 0,
        "source": "",
        "problems": len(problems),
    }
    return Sheet(**(given | more))


def sheet_folder(run_folder, count=4, problems=(), **more):
    """A sheet of some problems in the folder of a run."""
    made = list(problems) or [sheet_problem(number) for number in range(1, count + 1)]
    return SheetFolder.create(run_folder, sheet(made, **more), made)
