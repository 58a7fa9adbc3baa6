"""The files of a study are readable for the user alone who makes them: they hold keys, answers and passphrase hashes."""

from support.sheets import sheet_folder
from wdw_study.offline_forms import write_lines
from wdw_study.people import sign_in
from wdw_study.private_files import make_private


def modes(folder):
    """The permissions of a folder and of its files."""
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}


def test_a_new_study_is_the_users_alone(tmp_path):
    folder = sheet_folder(tmp_path)
    sign_in(folder.log, "Eve", "open sesame")
    write_lines(folder)
    found = modes(folder.path)
    assert found.pop(folder.path.name) == 0o700
    assert set(found) == {"sheet.json", "problems.jsonl", "events.sqlite", "sheet.jsonl"}
    assert set(found.values()) == {0o600}


def test_serving_closes_an_open_folder(tmp_path):
    folder = sheet_folder(tmp_path).path
    folder.chmod(0o755)
    (folder / "score.json").write_text("{}")
    make_private(folder)
    assert set(modes(folder).values()) == {0o700, 0o600}
