"""A pseudo-terminal as stderr, and what its screen shows."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
import threading
from contextlib import contextmanager

_TOKENS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\r|\n|[^\x1b\r\n]+")


class Terminal:
    """What was written to a terminal of ``width`` columns."""

    def __init__(self, width):
        self.width, self._written = width, bytearray()
        self._master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self):
        try:
            while read := os.read(self._master, 4096):
                self._written += read
        except OSError:  # Linux raises it when the last slave is closed.
            os.close(self._master)

    def close(self):
        os.close(self.slave)
        self._thread.join()

    def screens(self):
        """The lines on the screen after each of the writes, from the first line on."""
        lines, row, column = [""], 0, 0
        for token in _TOKENS.findall(self._written.decode()):
            if token == "\r":
                column = 0
            elif token == "\n":
                row += 1
                lines += [""] * (row == len(lines))
            elif token == "\x1b[A":
                row -= 1
            elif token == "\x1b[J":
                lines[row:] = [lines[row][:column]]
            else:
                assert token[0] != "\x1b", token
                lines[row] = f"{lines[row][:column]:{column}}{token}{lines[row][column + len(token) :]}"
                column += len(token)
            yield tuple(lines)


@contextmanager
def stderr_on_terminal(width, monkeypatch):
    """A terminal that is stderr meanwhile; what it showed is complete afterwards."""
    terminal = Terminal(width)
    try:
        with open(terminal.slave, "w", encoding="utf-8", closefd=False) as stream, monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", stream)
            yield terminal
    finally:
        terminal.close()
