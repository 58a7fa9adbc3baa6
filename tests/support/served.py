"""Serves an application in a thread; a browser without JavaScript for an application that is not served."""

import contextlib
import re
import threading

from fastapi.testclient import TestClient

from wdw_study.web.access import Access
from wdw_study.web.server import server_of

ACCESS = Access("r" * 32, "o" * 32, "c" * 32)


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


class Browser:
    """One browser: its cookies, and the secret in the forms of the last page that has one."""

    def __init__(self, app, token=ACCESS.reader):
        self.client, self.csrf = TestClient(app, base_url="http://127.0.0.1"), ""
        self.get(f"/enter?token={token}")

    def get(self, path):
        answer = self.client.get(path)
        self.csrf = next(iter(re.findall(r'name="csrf" value="([^"]+)"', answer.text)), self.csrf)
        return answer

    def post(self, path, headers=None, **fields):
        return self.client.post(path, data={"csrf": self.csrf, **fields}, headers=headers)

    def sign_in(self, name):
        self.get("/sign-in")
        answer = self.post("/sign-in", name=name)
        self.get("/")
        return answer
