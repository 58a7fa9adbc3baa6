"""Serves an application in a thread."""

import contextlib
import threading

from wdw_study.web.server import server_of


@contextlib.contextmanager
def running(app, listener):
    """Serve while the block runs. The socket listens already, so that first requests wait for the server."""
    server = server_of(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener.socket]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
