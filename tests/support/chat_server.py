"""A chat endpoint of the OpenAI form on a free port of this machine.

    with chat_server(lambda request: "Ann Fox") as server:
        ask(server.url)
    server.requests, server.headers

``reply`` returns the text of the answer, or a status with headers and a body (text or bytes).
"""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace


@contextmanager
def chat_server(reply):
    seen = SimpleNamespace(requests=[], headers=[], url="")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.requests.append(request)
            seen.headers.append({"path": self.path, **self.headers})
            said = reply(request)
            status, headers, body = said if isinstance(said, tuple) else (200, {}, completion(said))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else body.encode())

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    seen.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def completion(content, reason="stop", usage=None, **message):
    choice = {"message": {"role": "assistant", "content": content, **message}, "finish_reason": reason}
    return json.dumps({"choices": [choice], "usage": usage or {"prompt_tokens": 9, "completion_tokens": 2}})
