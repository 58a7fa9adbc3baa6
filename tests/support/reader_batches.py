"""Random problems for the neural readers, as plain lists and as a padded batch."""

import random

import torch

from wdw_bench.systems.neural.batches import Batch

WORDS, CHARACTERS, MARKERS = 30, 12, 6


def random_problem(seed, markers=0, choices=3, question=5, passage=9):
    """The fields of a problem without padding; ``mentions`` are lists of passage tokens."""
    draw = random.Random(seed)
    spellings = [[draw.randrange(1, CHARACTERS) for _ in range(draw.randint(1, 5))] for _ in range(WORDS)]
    first = 3 + markers

    def words(count):
        return [1 if draw.random() < 0.15 else draw.randrange(first, WORDS) for _ in range(count)]

    problem = {"question": words(question), "passage": words(passage), "blank": draw.randrange(question), "answer": 0}
    problem["question"][problem["blank"]] = 2
    tokens = draw.sample(range(passage), passage)
    shares = [tokens[k::choices][: draw.randint(1, 3)] for k in range(choices)]
    problem["mentions"] = [sorted(share) for share in shares]
    problem["choice_entities"] = draw.sample(range(3, first), choices) if markers else [0] * choices
    for entity, share in zip(problem["choice_entities"], problem["mentions"], strict=True):
        for token in share if markers else ():
            problem["passage"][token] = entity
    problem["choice_words"] = [[problem["passage"][token] for token in share] for share in problem["mentions"]]
    problem["in_question"] = [int(word in problem["question"]) for word in problem["passage"]]
    for name in ("question", "passage"):
        problem[f"{name}_spellings"] = [spellings[word] for word in problem[name]]
    return problem


def padded(rows, *shape):
    """Rows of integers, up to two levels deep, in a tensor of zeros of this shape."""
    tensor = torch.zeros(len(rows), *shape, dtype=torch.int64)
    for index, row in enumerate(rows):
        if row and isinstance(row[0], list):
            tensor[index, : len(row)] = padded(row, *shape[1:])
        else:
            tensor[index, : len(row)] = torch.tensor(row, dtype=torch.int64)
    return tensor


def batch_of(problems, extra=0):
    """A padded batch; every dimension but the first has ``extra`` places more than needed."""
    q, p = (max(len(problem[name]) for problem in problems) + extra for name in ("question", "passage"))
    c = max(len(problem["mentions"]) for problem in problems) + extra
    n = max(len(words) for problem in problems for words in problem["choice_words"]) + extra
    types = {(): 0}
    rows = {}
    for name in ("question", "passage"):
        rows[name] = [
            [types.setdefault(tuple(word), len(types)) for word in problem[f"{name}_spellings"]] for problem in problems
        ]
    mentions = torch.zeros(len(problems), c, p)
    for index, problem in enumerate(problems):
        for choice, tokens in enumerate(problem["mentions"]):
            mentions[index, choice, tokens] = 1.0
    names = ("question", "passage", "mentions", "choice_entities", "choice_words", "in_question")
    columns = {name: [problem[name] for problem in problems] for name in names}
    return Batch(
        question=padded(columns["question"], q),
        passage=padded(columns["passage"], p),
        question_lengths=torch.tensor([len(row) for row in columns["question"]]),
        passage_lengths=torch.tensor([len(row) for row in columns["passage"]]),
        blank=torch.tensor([problem["blank"] for problem in problems]),
        types=padded([list(word) for word in types], max(map(len, types)) + extra),
        question_types=padded(rows["question"], q),
        passage_types=padded(rows["passage"], p),
        in_question=padded(columns["in_question"], p).float(),
        mentions=mentions,
        choices=torch.tensor([[k < len(row) for k in range(c)] for row in columns["mentions"]]),
        choice_entities=padded(columns["choice_entities"], c),
        choice_words=padded(columns["choice_words"], c, n),
        answer=torch.tensor([problem["answer"] for problem in problems]),
    )
