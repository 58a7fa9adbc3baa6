"""A small run whose outputs keep every promise of ``verify``, written file by file, and ways to spoil it."""

import copy
import datetime as dt
import hashlib
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec
import yaml

from wdw_build.core.config.corpus_settings import CorpusConfig
from wdw_build.core.config.settings import Config, RetrieveConfig, SplitConfig

BASELINES = ("first-person", "most-frequent", "ngram", "unigram")
GIVEN = "Dora Elsa Olga Vera Irma Nora Ruth Jane Lena Mary".split()
FAMILY = "Finch Grove Hazel Ingram Jarvis Kettle Lomax Mercer Norris Oakley".split()
WRONG = "Pavel Quill Rufus Silas Tobin Ulric Viktor Walter Xaver Yorick".split()
STRICT = range(8)
SOURCES = {
    "ingest": (),
    "index": ("ingest",),
    "sentences": ("ingest",),
    "names": ("sentences",),
    "questions": ("sentences", "names", "ingest"),
    "retrieve": ("questions", "index", "ingest"),
    "choices": ("retrieve", "questions", "names", "ingest"),
    "dedup": ("choices",),
    "baselines": ("dedup", "ingest"),
    "adversary": ("baselines", "dedup", "ingest", "names"),
    "suppress": ("adversary", "dedup"),
    "problems": ("dedup", "suppress", "ingest"),
    "pseudonyms": ("problems", "ingest", "sentences", "names"),
    "split": ("suppress", "problems"),
    "export": ("split", "problems", "pseudonyms"),
}


def config(**sections):
    sections.setdefault("split", SplitConfig(held_out=4, max_share=0.5))
    sections.setdefault("retrieve", RetrieveConfig(min_event_score=0.0))
    sections.setdefault("corpus", CorpusConfig(reader="jsonl", path="x"))
    return Config(run="r", output_dir="out", **sections)


def date(number):
    """Problems 8 and 9, which only the relaxed level keeps, are the oldest."""
    return dt.date(2003, 4, 1) + dt.timedelta(days=2 * ((number + 2) % 10))


def mention(text, found, start=0):
    at = text.index(found, start)
    return {"start": at, "end": at + len(found), "text": found}


def question(number, other=None, tail=""):
    deleted, other = f"{GIVEN[number]} {FAMILY[number]}", other or f"Carl Reed{number}"
    topic = " ".join(f"t{number}{letter}" for letter in "abcdef")
    sentence = f"{other} told Mayor {deleted} about {topic}{tail}."
    tokens = [*sentence[:-1].split(), "."]
    start = tokens.index("Mayor")
    return {
        "id": f"q{number}",
        "date": date(number).isoformat(),
        "source": "AFP",
        "sentence": sentence,
        "tokens": tokens,
        "blank_tokens": [start, start + 3],
        "blank": mention(sentence, f"Mayor {deleted}"),
        "name": mention(sentence, deleted),
        "others": [mention(sentence, other)],
        "tree": "(S)",
        "refused": [],
        "token_layout": [number for token in tokens for number in (int(token not in (tokens[0], ".")), len(token))],
    }


def solvers(number):
    """The baselines that solve a problem: each solves four of the eight strict problems, and at most five of all ten."""
    remainders = {"first-person": (0, 2), "most-frequent": (1, 2), "ngram": (2, 3), "unigram": (0, 3)}
    return [name for name in BASELINES if number % 4 in remainders[name]]


def problem(number, other=None, wrong=None, tail="", extra="", named_other=None, like=None):
    """A problem that the baselines of ``solvers`` solve; ``extra`` is one more paragraph of the passage."""
    model = number if like is None else like
    asked = question(model, other, tail) | {"id": f"q{number}", "date": date(number).isoformat()}
    deleted, wrong = f"{GIVEN[model]} {FAMILY[model]}", wrong or f"Ivor {WRONG[model]}"
    first, second = (deleted, wrong) if "first-person" in solvers(number) else (wrong, deleted)
    often = deleted if "most-frequent" in solvers(number) else wrong
    there = named_other or asked["others"][0]["text"]
    text = f"{first} spoke at length here. Next to Mr. {there} stood the clerk.\n\nBut {second} kept quiet about it."
    text += f" Later {often} left.{extra and chr(10) * 2 + extra}"
    choices = [{"name": name, "mentions": [mention(text, name)]} for name in (first, second)]
    chosen = choices[0 if often == first else 1]["mentions"]
    chosen.append(mention(text, often, text.index(" Later ")))
    for choice in choices:
        choice["mentions"] = [{"start": span["start"], "end": span["end"]} for span in choice["mentions"]]
    day = (date(number) + dt.timedelta(days=2)).isoformat()
    return {
        "id": f"q{number}",
        "question": asked,
        "passage": {
            "article": f"p{number}",
            "date": day,
            "source": "XIN",
            "title": f"T{number} & more",
            "text": text,
            "tokens": 30,
        },
        "choices": choices,
        "answer": [first, second].index(deleted),
        "window": 3,
        "score": 2.5,
        "event_score": 0.7,
        "persons": [],
        "refused": [],
    }


def named_span(text, name):
    """The offsets of a name in a text."""
    return {key: value for key, value in mention(text, name).items() if key != "text"}


def articles_of(problems):
    for one in problems:
        asked, passage = one["question"], one["passage"]
        common = {"kind": "story", "dateline": ""}
        yield {
            "id": asked["id"],
            "date": asked["date"],
            "source": asked["source"],
            "title": "Q",
            "paragraphs": [f"{asked['sentence']} More follows."],
            **common,
        }
        yield {
            "id": passage["article"],
            "date": passage["date"],
            "source": passage["source"],
            "title": passage["title"],
            "paragraphs": passage["text"].split("\n\n"),
            **common,
        }


def guesses_of(one, number):
    right, count = one["answer"], len(one["choices"])
    starts = [min(span["start"] for span in choice["mentions"]) for choice in one["choices"]]
    solved = {name: name in solvers(number) for name in ("ngram", "unigram")}
    scores = {
        "first-person": [-float(start) for start in starts],
        "most-frequent": [float(len(choice["mentions"])) for choice in one["choices"]],
    }
    for name, good in solved.items():
        scores[name] = [2.0 if (at == right) == good else 1.0 for at in range(count)]
    return {
        "id": one["id"],
        "date": one["question"]["date"],
        "choices": count,
        "answer": right,
        "guesses": {name: scores[name].index(max(scores[name])) for name in BASELINES},
        "scores": scores,
    }


def cell_of(guesses):
    return "".join("1" if guess == guesses["answer"] else "0" for guess in guesses["guesses"].values())


def kept_of(guesses, number):
    key = f"0\x1fsuppress\x1f{guesses['id']}".encode()
    return {
        "id": guesses["id"],
        "date": guesses["date"],
        "choices": guesses["choices"],
        "cell": cell_of(guesses),
        "draw": int.from_bytes(hashlib.sha256(key).digest()[:7], "big") / 2**56,
        "strict": number in STRICT,
    }


def record_of(one):
    """The alternatives of an article whose only alternative is this problem."""
    passage, persons = one["passage"], one["persons"] or one["choices"]
    alternative = {
        "blank": 0,
        "passage": 0,
        "choice_set": "drawn" if one["persons"] else "all",
        "choices": [persons.index(choice) for choice in one["choices"]],
        "answer": one["answer"],
        "eligible": list(range(len(one["persons"]))),
    }
    described = {key: one[key] for key in ("window", "score", "event_score")}
    described |= {key: passage[key] for key in ("article", "date", "tokens")}
    return {
        "id": one["id"],
        "question": copy.deepcopy(one["question"]),
        "passages": [copy.deepcopy(described | {"persons": persons})],
        "alternatives": [alternative],
        "refused": copy.deepcopy(one["refused"]),
    }


def placed_of(kept, number):
    split = "train" if number < 4 or number > 7 else ("validation" if number % 2 else "test")
    return {"id": kept["id"], "date": kept["date"], "level": "strict" if kept["strict"] else "relaxed", "split": split}


def copies(problems):
    """Problem 0's question filed again: what dedup drops."""
    again = copy.deepcopy(problems[0])
    day = (date(0) + dt.timedelta(days=1)).isoformat()
    again["id"] = again["question"]["id"] = "d0"
    again["question"]["date"] = day
    return again


def stages_of(problems, articles):
    """(records, rejections) of every stage."""
    every = [*problems, copies(problems)]
    guesses = [guesses_of(one, number) for number, one in enumerate(problems)]
    kept = [kept_of(one, number) for number, one in enumerate(guesses)]
    asked = {one["id"] for one in every}
    return {
        "ingest": (articles, [reject("bad.jsonl:3", "unreadable")]),
        "index": ([{"id": one["id"], "day": 12000, "words": 20} for one in articles], []),
        "sentences": ([first_sentence(one) for one in articles], []),
        "names": ([{"id": one["id"], "names": 0} for one in articles], []),
        "questions": (
            [copy.deepcopy(one["question"]) for one in every],
            [reject(one["id"], "fewer-than-two-persons") for one in articles if one["id"] not in asked],
        ),
        "retrieve": ([{"id": one["id"], "candidates": [candidate(one)]} for one in every], []),
        "choices": (list(map(record_of, every)), []),
        "dedup": (list(map(record_of, problems)), [reject("d0", "duplicate-question", "q0")]),
        "problems": (list(problems), []),
        "pseudonyms": ([pseudonyms_of(one, number) for number, one in enumerate(problems)], []),
        "baselines": (guesses, []),
        "adversary": ([one | {"fold": None, "unbounded": []} for one in copy.deepcopy(guesses)], []),
        "suppress": (kept, []),
        "split": ([placed_of(one, number) for number, one in enumerate(kept)], []),
        "export": ([], []),
    }


SURROGATES = "Mia Lev Tam Ike Noa Uma Ada Bea Cai Dov".split(), "Orr Vu Eze Rhee Kast Oyen Zel Quon Pax Lund".split()


def pseudonyms_of(one, number):
    """Both choices and the other person of the question, who is in the passage by surname."""
    names = [*(choice["name"] for choice in one["choices"]), one["question"]["others"][0]["text"]]
    given, family = SURROGATES
    persons = [
        {
            "name": name,
            "choice": at if at < len(one["choices"]) else None,
            "code": f"@entity{(at + number) % len(names)}",
            "surrogate": f"{given[at]} {family[at]}",
            "gender": "",
        }
        for at, name in enumerate(names)
    ]
    texts = {
        "passage": one["passage"]["text"],
        "question": one["question"]["sentence"],
        "title": one["passage"]["title"],
    }
    replaced = {place: replacements_in(text, persons) for place, text in texts.items()}
    return {"id": one["id"], "persons": persons, **replaced, "leaks": []}


def replacements_in(text, persons):
    found = []
    for at, person in enumerate(persons):
        start = text.find(person["name"])
        while start >= 0:
            end = start + len(person["name"])
            codes = {"code": person["code"], "surrogate": person["surrogate"]}
            found.append({"start": start, "end": end, "person": at, "kind": "mention", **codes})
            start = text.find(person["name"], end)
    return sorted(found, key=lambda one: one["start"])


def renamed(line, pseudonyms, names):
    """The exported line with these names; the names of persons are whole names here."""
    form = "code" if names == "codes" else "surrogate"

    def new(value):
        if isinstance(value, dict):
            return {key: new(one) for key, one in value.items()}
        if isinstance(value, list):
            return [new(one) for one in value]
        for person in pseudonyms["persons"] if isinstance(value, str) else ():
            value = value.replace(person["name"], person[form])
        return value

    question = new(line["question"])
    question["tokens"] = {
        part: question[text].split() for part, text in (("left", "left"), ("blank", "deleted"), ("right", "right"))
    }
    return new(line) | {"question": question}


def first_sentence(article):
    return {"id": article["id"], "text": article["paragraphs"][0], "words": [], "spans": [], "names": []}


def reject(name, reason, detail=""):
    return {"id": name, "reason": reason, "detail": detail, "refused": [], "candidates": []}


def candidate(one):
    return {
        "article": one["passage"]["article"],
        "date": one["passage"]["date"],
        "window": one["window"],
        "rank": 1,
        "score": one["score"],
        "event": one["event_score"],
        "rule": "",
        "detail": "",
    }


NAMES = {
    ("strict", "train"): ["jsonl/train.jsonl", "jsonl/train.relaxed.jsonl"],
    ("relaxed", "train"): ["jsonl/train.relaxed.jsonl"],
    ("strict", "validation"): ["jsonl/validation.jsonl"],
    ("strict", "test"): ["jsonl/test.jsonl"],
}
XML = {
    "jsonl/train.jsonl": "wdw-xml/Strict/train.xml",
    "jsonl/train.relaxed.jsonl": "wdw-xml/Relaxed/train.xml",
    "jsonl/validation.jsonl": "wdw-xml/Strict/val.xml",
    "jsonl/test.jsonl": "wdw-xml/Strict/test.xml",
}


def export_line(one, level):
    asked, passage = one["question"], one["passage"]
    start, end = asked["blank_tokens"]
    left, right = asked["sentence"][: asked["blank"]["start"]], asked["sentence"][asked["blank"]["end"] :]
    tokens = {"left": asked["tokens"][:start], "blank": asked["tokens"][start:end], "right": asked["tokens"][end:]}
    return {
        "id": one["id"],
        "date": asked["date"],
        "source": asked["source"],
        "question": {
            "text": f"{left}XXX{right}",
            "left": left,
            "deleted": asked["blank"]["text"],
            "right": right,
            "tokens": tokens,
            "name": asked["name"]["text"],
        },
        "passage": {
            "id": passage["article"],
            "date": passage["date"],
            "source": passage["source"],
            "title": passage["title"],
            "text": passage["text"],
        },
        "choices": [choice["name"] for choice in one["choices"]],
        "answer": one["answer"],
        "level": level,
        "event_score": one["event_score"],
    }


def xml_of(line):
    parts = {name: escape(" ".join(value)) for name, value in line["question"]["tokens"].items()}
    name = escape(line["question"]["name"])
    head = parts["blank"].removesuffix(name).strip()
    choices = "".join(
        f'<choice idx="{at}" correct="{"true" if at == line["answer"] else "false"}">{escape(choice)}</choice>'
        for at, choice in enumerate(line["choices"])
    )
    return (
        f'<mc><question id="{line["id"]}"><leftcontext>{parts["left"]}</leftcontext><leftblank>{head}</leftblank>'
        f'<blank type="PERSON">{name}</blank><rightblank/><rightcontext>{parts["right"]}</rightcontext></question>'
        f'<contextart id="{line["passage"]["id"]}">{escape(line["passage"]["text"])}</contextart>{choices}</mc>\n'
    )


def write_export(folder, stages, formats, names="original"):
    pseudonyms = {one["id"]: one for one in stages["pseudonyms"][0]}
    problems = {one["id"]: one for one in stages["problems"][0]}
    texts = {name: ["", '<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n'] for name in XML}
    for place in stages["split"][0]:
        line = export_line(problems[place["id"]], place["level"])
        if names != "original" and place["id"] not in pseudonyms:
            stages["export"][1].append(reject(place["id"], "no-pseudonyms"))
            continue
        if names != "original":
            line = renamed(line, pseudonyms[place["id"]], names)
        files = NAMES[place["level"], place["split"]]
        for name in files:
            texts[name][0] += msgspec.json.encode(line).decode() + "\n"
            texts[name][1] += xml_of(line)
        both = ("jsonl", files), ("wdw-xml", [XML[name] for name in files])
        stages["export"][0].append(
            {"id": place["id"], "files": [name for form, names in both if form in formats for name in names]}
        )
    write_card(folder / "jsonl/README.md", {Path(name).name: jsonl.count("\n") for name, (jsonl, _) in texts.items()})
    for name, (jsonl, xml) in texts.items():
        for path, text in ((folder / name, jsonl), (folder / XML[name], xml + "</ROOT>\n")):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


def write_card(path, counts):
    """The card of the JSONL export; every split of these runs has problems."""
    configs, about = [], []
    for name, train in (("strict", "train.jsonl"), ("relaxed", "train.relaxed.jsonl")):
        splits = {"train": train, "validation": "validation.jsonl", "test": "test.jsonl"}
        files = [{"split": split, "path": file} for split, file in splits.items() if counts[file]]
        configs.append({"config_name": name, "data_files": files} | ({"default": True} if name == "strict" else {}))
        sizes = [{"name": split, "num_examples": counts[file]} for split, file in splits.items() if counts[file]]
        about.append({"config_name": name, "splits": sizes})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{yaml.safe_dump({'configs': configs, 'dataset_info': about})}---\nText --- more.\n")


def write_stage(folder, stage, stages, given):
    folder.mkdir(parents=True, exist_ok=True)
    records, rejections = (b"".join(msgspec.json.encode(one) + b"\n" for one in some) for some in stages[stage])
    (folder / "part-00000.jsonl").write_bytes(records)
    (folder / "rejections.jsonl").write_bytes(rejections)
    reasons = [one["reason"] for one in stages[stage][1]]
    manifest = {
        "fingerprint": stage,
        "ingredients": {
            "stage": stage,
            "version": 1,
            "config": msgspec.to_builtins(given.section(stage)),
            "seed": given.seed,
            "inputs": {name: f"content of {name}" for name in SOURCES[stage]},
            "backends": {},
        },
        "read": sum(map(len, stages[stage])),
        "written": len(stages[stage][0]),
        "rejected": len(stages[stage][1]),
        "reasons": {reason: reasons.count(reason) for reason in reasons},
        "parts": [
            {
                "name": "part-00000.jsonl",
                "records": len(stages[stage][0]),
                "bytes": len(records),
                "sha256": hashlib.sha256(records).hexdigest(),
            }
        ],
        "rejections_bytes": len(rejections),
        "rejections_sha256": hashlib.sha256(rejections).hexdigest(),
        "files": {},
        "store_format": 3,
        "content_hash": f"content of {stage}",
    }
    (folder / "manifest.json").write_bytes(msgspec.json.encode(manifest))


def changed(number, **changes):
    """A problem with some of its fields replaced."""
    return {number: problem(number) | changes}


def edit(name, old, new, count=1):
    """A change of a written file."""

    def after(folder):
        text = (folder / name).read_bytes()
        assert old.encode() in text
        (folder / name).write_bytes(text.replace(old.encode(), new.encode(), count))

    return after


def shared_passage(number, other):
    """The passage of problem ``other`` is named as that of ``number``, too: enough to connect them."""
    made = problem(number)
    made["passage"]["article"] = f"p{other}"
    return {number: made}
