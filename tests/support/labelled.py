"""Problems as systems read them, with names of every form among the choices."""

import msgspec

from support import reading

NAMES = ("Ann Fox", "Bo O'Lee-Ray", "Cy Day Jr.", "Di Eve", "Ed")


def labelled(name="q1", choices=NAMES, answer=1):
    problem = reading.labelled(reading.reading_problem("XXX ran .", "a secret text", choices, id=name), answer)
    return msgspec.structs.replace(problem, split="test", guesses={"ngram": 0, "unigram": answer})
