"""``explore`` as a command: the address that it prints, who can open it, and Ctrl-C."""

import http.client
import json
import signal
from urllib.parse import urlsplit

from cli_corpora import start

from wdw_study.web import base


def get(address, **headers):
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=300)
    connection.request("GET", f"{parts.path}?{parts.query}", headers=headers)
    answer = connection.getresponse()
    page = answer.read().decode()
    connection.close()
    return answer, page


def test_the_printed_address_opens_the_run_until_ctrl_c(built):
    server = start("explore", "-c", built.config, "--json")
    try:
        lines = iter(server.stdout.readline, "}\n")
        address = json.loads("".join(lines) + "}")["url"]
        entered, _ = get(address)
        cookie = entered.headers["Set-Cookie"].partition(";")[0]
        home, page = get(address.partition("/enter")[0] + "/", Cookie=cookie)
        assert (urlsplit(address).hostname, entered.status, home.status) == ("127.0.0.1", 303, 200)
        assert "<h1>Run tiny</h1>" in page
    finally:
        server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=300)
    assert (server.returncode, out) == (0, "")
    assert err.endswith("explore: stopped\n")
    assert urlsplit(address).query not in err


def served(monkeypatch):
    """Does all but serve."""
    monkeypatch.setattr(base, "serve", lambda app, listener, ready: (ready(), listener.socket.close()))


def test_without_json_the_address_comes_first_and_a_loopback_needs_no_warning(call, built, monkeypatch):
    served(monkeypatch)
    answer = call("explore", "-c", built.config)
    assert answer.out.startswith("http://127.0.0.1:")
    assert "Keep this address secret" in answer.out
    assert "warning" not in answer.err


def test_a_server_for_the_network_warns_that_nothing_is_encrypted(call, built, monkeypatch):
    served(monkeypatch)
    answer = call("explore", "-q", "-c", built.config, "--host", "0.0.0.0")
    assert answer.err.startswith("warning: other machines can reach this page, its traffic is not encrypted")
    assert urlsplit(answer.out.splitlines()[0]).hostname not in ("0.0.0.0", "127.0.0.1")


def test_a_port_in_use_is_a_message(call, built):
    taken = base.Listener()
    answer = call("explore", "-c", built.config, "--port", taken.port)
    taken.socket.close()
    assert (answer.code, answer.out) == (2, "")
    assert f"cannot listen on 127.0.0.1 port {taken.port}" in answer.message
