"""Makes sheets on disk, without a run."""

from wdw_study.folder import items_hash
from wdw_study.judging.judgements import ANSWERED
from wdw_study.judging.sheets import Sheet, SheetFolder, SheetProblem
from wdw_study.people import sign_in

NAMES = ("Ann Ames", "Bob Beck", "Cy Cole", "Dan Dorn")


def sheet_problem(number, **more):
    """Problem `q<number>`; the key is Ann Ames, and one of the baselines is right."""
    given = {
        "question": f"XXX told Bob Bell that bridge {number} must close.",
        "passage": f"Bridge {number} is old.\n\nAnn Ames said so, and Bob Beck came.",
        "choices": NAMES[: 2 + number % 3],
        "guesses": {"first-person": 0, "unigram": 1},
    }
    given |= {"number": number, "id": f"q{number}", "answer": 0, "split": "test", "level": "strict"}
    return SheetProblem(**(given | more))


def sheet(problems, **more):
    given = {"name": "toy", "run": "toy", "hash": items_hash(problems), "problems": len(problems)}
    given |= {"task": "answer", "condition": "passage", "seed": 0, "source": ""}
    return Sheet(**(given | more))


def sheet_folder(run_folder, count=4, problems=(), **more):
    """A sheet of some problems in the folder of a run."""
    made = list(problems) or [sheet_problem(number) for number in range(1, count + 1)]
    return SheetFolder.create(run_folder, sheet(made, **more), made)


def answered(folder):
    """Ada and Ben gave the marked answer to all problems of a sheet."""
    for person in ("Ada", "Ben"):
        sign_in(folder.log, person)
        for problem in folder.items:
            folder.log.append(person, ANSWERED, problem.id, 0)
    return folder
