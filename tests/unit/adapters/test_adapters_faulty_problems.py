"""Files of faulty problems: what they say, and what is wrong with a file that cannot be used."""

import pytest

from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.errors import ConfigError, MissingResourceError


def written(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_the_reasons_of_a_problem_in_several_files_are_joined(tmp_path):
    one = written(tmp_path / "one", '{"id": "a", "reason": "wrong-span"}', "")
    other = written(tmp_path / "other", '{"id": "a", "reason": "no-story"}', '{"id": "b", "reason": "no-story"}')
    files = FaultyProblemFiles([one, other])
    assert files.reasons() == {"a": "no-story; wrong-span", "b": "no-story"}
    assert files.identity == FaultyProblemFiles([other, one, one]).identity


def test_the_identity_changes_with_the_content_and_not_with_the_name_of_a_file(tmp_path):
    files = FaultyProblemFiles([written(tmp_path / "one", '{"id": "a", "reason": "wrong-span"}')])
    before = files.identity
    assert FaultyProblemFiles([(tmp_path / "one").rename(tmp_path / "two")]).identity == before
    written(tmp_path / "one", '{"id": "b", "reason": "wrong-span"}')
    assert files.identity != before
    assert FaultyProblemFiles(()).identity == "no problems"


@pytest.mark.parametrize("line", ["{", '{"id": "a"}', '{"id": 1, "reason": ""}', "a"])
def test_a_line_in_another_form_is_named(tmp_path, line):
    path = written(tmp_path / "one", '{"id": "a", "reason": "x"}', line)
    with pytest.raises(ConfigError, match=f"corpus.faulty_problems: {path}:2: ") as caught:
        FaultyProblemFiles([path]).reasons()
    assert '{"id": "…"' in caught.value.hint


def test_a_missing_file_is_named_before_anything_runs(tmp_path):
    with pytest.raises(MissingResourceError, match=r"corpus\.faulty_problems: cannot read .*none"):
        _ = FaultyProblemFiles([tmp_path / "none"]).identity
