"""Problems as systems read them, with names of every form among the choices."""

from wdw_build.reading import LabelledProblem, ReadingChoice, ReadingProblem
from wdw_build.text.tokens import lm_tokens

NAMES = ("Ann Fox", "Bo O'Lee-Ray", "Cy Day Jr.", "Di Eve", "Ed")


def labelled(name="q1", choices=NAMES, answer=1):
    problem = ReadingProblem(
        id=name,
        before_blank="",
        after_blank=" ran.",
        question_tokens=("XXX", "ran", "."),
        blank=0,
        question_persons=(),
        passage="a secret text",
        token_layout=(0, 1, 1, 6, 1, 4),
        sentence_starts=(0, 1),
        choices=tuple(
            ReadingChoice(name=choice, tokens=tuple(lm_tokens(choice)), mentions=((0, 1), (1, 2))) for choice in choices
        ),
    )
    return LabelledProblem(
        id=name, problem=problem, answer=answer, split="test", level="strict", guesses={"ngram": 0, "unigram": answer}
    )
