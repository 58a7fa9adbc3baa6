"""What two processes must share to write the same bytes."""

from wdw_build.core.installed import files_digest


def test_the_digest_covers_data_files_and_their_paths_but_no_byte_code(tmp_path):
    (tmp_path / "models").mkdir()
    model = tmp_path / "models" / "one.pt"
    model.write_bytes(b"1234")
    before = files_digest(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "one.pyc").write_bytes(b"code")
    assert files_digest(tmp_path) == before
    model.write_bytes(b"1235")
    changed = files_digest(tmp_path)
    assert changed != before
    model.rename(tmp_path / "two.pt")
    assert files_digest(tmp_path) not in (before, changed)
