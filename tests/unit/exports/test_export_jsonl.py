"""The JSONL export: one line for each problem, the relaxed training set, and the files of all splits."""

import json

from msgspec.structs import replace

from support import make
from wdw_build.adapters.exports.jsonl import JsonlExporter


def placed(name):
    return make.placed(make.met(name, ["Tony Blair", "George W. Bush"]))


def test_line_separators_within_a_text_do_not_end_a_line(tmp_path):
    given, place = placed("a")
    sentence = "One\u2028two\nthree\U0001f600"
    question = replace(given.question, sentence=sentence, blank=make.mention(sentence, "two"))
    JsonlExporter().write(tmp_path, [(replace(given, question=question), place)])
    (line,) = (tmp_path / "jsonl/test.jsonl").read_bytes().splitlines()
    assert json.loads(line)["question"]["text"] == "One\u2028XXX\nthree\U0001f600"


def test_problems_are_written_as_they_come(tmp_path):
    sizes = []

    def problems():
        for number in range(3):
            yield placed(str(number) * 20_000)
            sizes.append((tmp_path / "jsonl/test.jsonl").stat().st_size)

    JsonlExporter().write(tmp_path, problems())
    assert sizes[0] > 0
    assert sizes == sorted(sizes)
