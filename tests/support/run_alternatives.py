"""Changes the alternatives of an article, and what baselines predict for them, in the outputs of a consistent run."""

import copy

from support.consistent_run import BASELINES, cell_of


def put(outputs, number, alternatives, selected=0):
    """Give an article these alternatives, with the predictions that follow, and select one of them."""
    for name in ("choices", "dedup"):
        outputs[name][0][number]["alternatives"] = copy.deepcopy(alternatives)
    record = outputs["dedup"][0][number]
    predicted = [predictions(record, alternative) for alternative in alternatives]
    for name in ("baselines", "adversary"):
        outputs[name][0][number] |= {**predicted[0], "others": predicted[1:]}
    chosen = predicted[selected]
    outputs["suppress"][0][number] |= {
        "choices": chosen["choices"],
        "cell": "".join(str(int(guess == chosen["answer"])) for guess in chosen["guesses"].values()),
        "alternative": selected,
        "alternatives": len(alternatives),
    }
    alternative = alternatives[selected]
    every = record["passages"][alternative["passage"]]["persons"]
    outputs["problems"][0][number] |= {
        "choices": [every[at] for at in alternative["choices"]],
        "answer": alternative["answer"],
        "persons": [every[at] for at in alternative["eligible"]],
        "alternative": selected,
    }


def predictions(record, alternative):
    chosen = [record["passages"][alternative["passage"]]["persons"][at] for at in alternative["choices"]]
    scores = {
        "first-person": [-float(person["mentions"][0]["start"]) for person in chosen],
        "most-frequent": [float(len(person["mentions"])) for person in chosen],
        "ngram": [1.0] * len(chosen),
        "unigram": [1.0] * len(chosen),
    }
    guesses = {name: scores[name].index(max(scores[name])) for name in BASELINES}
    return {"choices": len(chosen), "answer": alternative["answer"], "guesses": guesses, "scores": scores}


def predictions_of(stages, number):
    """The predictions for a problem, as both stages have them."""
    return [stages[name][0][number] for name in ("baselines", "adversary")]


def solved_by_unigram(*numbers, right=True):
    """A change after which ``unigram`` solves these problems, too; or does not solve them."""

    def stages(outputs):
        for number in numbers:
            for guesses in predictions_of(outputs, number):
                guess = guesses["answer"] if right else 1 - guesses["answer"]
                guesses["guesses"]["unigram"] = guess
                guesses["scores"]["unigram"] = [float(at == guess) for at in range(2)]
                outputs["suppress"][0][number]["cell"] = cell_of(guesses)

    return stages
