"""A folder in which this process may not write, also if its user is root."""

import errno
import os
from pathlib import Path


def make_read_only(monkeypatch, folder):
    """Fail all writes below a folder as those on a read-only disk."""

    def refusing(call):
        def called(path, *rest, **settings):
            if Path(path).is_relative_to(folder):
                raise OSError(errno.EROFS, "Read-only file system", str(path))
            return call(path, *rest, **settings)

        return called

    def mkdir(path, *rest, exist_ok=False, **settings):
        if not (exist_ok and path.is_dir()):
            refusing(make_folder)(path, *rest, **settings)

    make_folder, access = Path.mkdir, os.access
    for name in ("write_text", "write_bytes", "touch", "symlink_to", "unlink", "rename", "replace"):
        monkeypatch.setattr(Path, name, refusing(getattr(Path, name)))
    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(
        os,
        "access",
        lambda path, mode: not (mode & os.W_OK and Path(path).is_relative_to(folder)) and access(path, mode),
    )
