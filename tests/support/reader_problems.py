"""Small problems on which the neural readers are trained: the answer did in the passage what the question asks for."""

import random

from support.reading import labelled, reading_problem

NAMES = ("Ann Fox", "Bo Lee", "Cy Ray", "Di Low", "Ed Moss", "Flo Kerr")
VERBS = ("met", "praised", "sued", "hired", "fired", "called", "beat", "joined", "left", "saw")


def verb_problems(count, seed=1):
    """Three persons did three things; the question asks who did one of them. A choice can be named by surname alone."""
    generator, problems = random.Random(seed), []
    for number in range(count):
        names, verbs = generator.sample(NAMES, 3), generator.sample(VERBS, 3)
        said = [name if generator.random() < 0.7 else name.split()[1] for name in names]
        facts = " ".join(f"{name} {verb}." for name, verb in zip(said, verbs, strict=True))
        asked, forms = generator.randrange(3), [(name, name.split()[1]) for name in names]
        problem = reading_problem(f"XXX {verbs[asked]}.", facts, forms, id=f"verb-{number}")
        problems.append(labelled(problem, asked))
    return problems
