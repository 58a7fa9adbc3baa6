"""The base of served pages: who may see what, which requests are refused, and what an error tells to whom."""

import http.client
import re
from types import SimpleNamespace
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
import pytest
from fastapi import APIRouter, Depends, Form, Request
from starlette.testclient import TestClient

from support.served import running
from wdw_build.errors import DamagedOutputError, UsageError
from wdw_study.event_log import EventLog
from wdw_study.web.access import OWNER, READER, Access, require
from wdw_study.web.app import Pages, create_app
from wdw_study.web.server import Listener, serve

PORT = 8000
ACCESS = Access("reader-token-0123456789", "owner-token-0123456789", "key-of-cookies-0123456789")


def routers(pages):
    open_to_readers = APIRouter(dependencies=[Depends(require(READER))])
    open_to_owner = APIRouter(dependencies=[Depends(require(OWNER))])

    @open_to_readers.get("/page")
    def page(request: Request):
        return pages.render(request, "error.html.j2", heading="A page", message=request.session["csrf"])

    @open_to_readers.post("/save")
    def save(request: Request, text: Annotated[str, Form()]):
        return pages.render(request, "error.html.j2", heading="Saved", message=text)

    @open_to_readers.get("/number")
    def number(request: Request, n: int):
        return pages.render(request, "error.html.j2", heading="A number", message=str(n))

    @open_to_readers.get("/broken")
    def broken():
        raise ZeroDivisionError("secret \x1b[31m of the inside\nof a server")

    @open_to_readers.api_route("/refused", methods=["GET", "POST"])
    def refused():
        raise UsageError("no problem has this id", hint="search for it")

    @open_to_readers.get("/damaged")
    def damaged():
        raise DamagedOutputError("part-00000.jsonl was changed", hint="run the stage again")

    @open_to_owner.get("/plans")
    def plans(request: Request):
        return pages.render(request, "error.html.j2", heading="Plans", message="all of them")

    return [open_to_readers, open_to_owner]


REPORTED = []


def app_of(log, access=ACCESS, loopback=True):
    pages = Pages([("Read", "/page")], [("Secret plans", "/plans")])
    listener = SimpleNamespace(port=PORT, loopback=loopback)
    return create_app(pages, log, routers(pages), access, listener, REPORTED.append)


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return EventLog(tmp_path_factory.mktemp("pages") / "events.sqlite")


@pytest.fixture(scope="module")
def app(log):
    return app_of(log)


@pytest.fixture
def client(app):
    """A browser that has not signed in."""
    return TestClient(app, base_url=f"http://127.0.0.1:{PORT}", raise_server_exceptions=False)


def sign_in(client, token):
    return client.get("/enter", params={"token": token}, follow_redirects=False)


@pytest.fixture
def reader(client):
    sign_in(client, ACCESS.reader)
    return client


def csrf_of(client):
    return re.search(r'role="alert">(.*)</p>', client.get("/page").text)[1]


# ---- who may see what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "seen"),
    [("wrong", [403, 403, 403]), (ACCESS.reader, [303, 200, 403]), (ACCESS.owner, [303, 200, 200])],
)
def test_a_token_opens_the_pages_of_its_role(client, token, seen):
    entered = sign_in(client, token)
    assert [answer.status_code for answer in (entered, client.get("/page"), client.get("/plans"))] == seen


@pytest.mark.parametrize("token", ["", "wrong", ACCESS.owner[:-1], ACCESS.owner + "x", "ü", "\ud800", ACCESS.cookies])
def test_no_other_token_has_a_role(token):
    assert ACCESS.role(token) is None


def test_an_owner_who_opens_the_address_of_readers_stays_the_owner(client):
    sign_in(client, ACCESS.owner)
    sign_in(client, ACCESS.reader)
    assert client.get("/plans").status_code == 200


def test_the_navigation_is_that_of_the_person_and_the_role_also_on_error_pages(client):
    shown = []
    for token in ("", ACCESS.reader, ACCESS.owner):
        sign_in(client, token)
        shown.append([name in client.get("/nothing").text for name in (">Read<", "Secret plans")])
    assert shown == [[False, False], [False, False], [False, True]]


def test_a_session_of_an_earlier_start_is_no_longer_valid(reader, log):
    later = TestClient(app_of(log, Access.fresh()), base_url=reader.base_url, cookies=reader.cookies)
    assert later.get("/page").status_code == 403


def test_a_cookie_that_was_changed_is_no_session(reader):
    name, value = next(iter(reader.cookies.items()))
    assert TestClient(reader.app, base_url=reader.base_url, cookies={name: "x" + value}).get("/page").status_code == 403


def test_kept_tokens_stay_and_only_their_owner_can_read_them(tmp_path):
    path = tmp_path / "access.json"
    first = Access.stored(path)
    assert Access.stored(path) == first
    assert path.stat().st_mode & 0o777 == 0o600
    assert len({first.reader, first.owner, first.cookies}) == 3


@pytest.mark.parametrize("content", ["", "{}", '{"reader": "", "owner": "", "cookies": ""}'])
def test_a_damaged_file_of_tokens_is_a_message(tmp_path, content):
    path = tmp_path / "access.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=re.escape(str(path))):
        Access.stored(path)


# ---- cookies, headers, tokens ----------------------------------------------------------------------------------------


def test_the_cookie_is_for_this_server_alone_and_no_script_can_read_it(client):
    cookie = sign_in(client, ACCESS.reader).headers["set-cookie"]
    assert cookie.startswith(f"wdw-build-{PORT}=")
    assert {"httponly", "samesite=lax", "path=/"} <= set(cookie.lower().split("; "))
    assert "secure" not in cookie.lower()


def test_behind_tls_the_cookie_is_never_sent_unencrypted(app):
    client = TestClient(app, base_url="https://127.0.0.1")
    assert sign_in(client, ACCESS.reader).headers["set-cookie"].lower().endswith("; secure")


@pytest.mark.parametrize("path", ["/page", "/plans", "/nothing", "/static/study.css", "/enter?token=wrong"])
def test_every_answer_has_the_security_headers(reader, path):
    headers = reader.get(path).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'; script-src 'self';")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert (headers["Referrer-Policy"], headers["X-Content-Type-Options"]) == ("no-referrer", "nosniff")
    assert headers["Cache-Control"] == "no-store"


def test_the_token_is_in_no_page_and_in_no_later_address(client):
    entered = sign_in(client, ACCESS.owner)
    assert entered.headers["location"] == "/"
    assert entered.headers["Referrer-Policy"] == "no-referrer"
    pages = [client.get(path).text for path in ("/page", "/plans", "/nothing", f"/enter?token={ACCESS.owner}x")]
    cookie = entered.headers["set-cookie"]
    assert not any(secret in text for secret in msgspec.structs.astuple(ACCESS) for text in [*pages, cookie])


# ---- refused requests ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:9999", "localhost:1"])
def test_on_the_loopback_every_name_and_port_of_it_is_answered(reader, host):
    assert reader.get("/page", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "10.0.0.1:8000", "", "["])
def test_on_the_loopback_other_hosts_are_refused(reader, host):
    answer = reader.get("/page", headers={"Host": host})
    assert (answer.status_code, answer.headers["Referrer-Policy"]) == (400, "no-referrer")
    assert "A page" not in answer.text


def test_a_server_for_the_network_answers_by_any_name(log):
    client = TestClient(app_of(log, loopback=False), base_url="http://desk.example:8000")
    sign_in(client, ACCESS.reader)
    assert client.get("/page").status_code == 200


def test_a_form_needs_the_secret_of_its_own_session(reader, app):
    secret = csrf_of(reader)
    assert reader.post("/save", data={"text": "yes", "csrf": secret}).status_code == 200
    assert reader.post("/save", data={"text": "yes"}, headers={"X-CSRF-Token": secret}).status_code == 200
    other = TestClient(app, base_url=reader.base_url)
    sign_in(other, ACCESS.reader)
    for wrong in ({}, {"csrf": ""}, {"csrf": secret[:-1]}, {"csrf": "ü"}, {"csrf": csrf_of(other)}):
        assert reader.post("/save", data={"text": "yes", **wrong}).status_code == 403


@pytest.mark.parametrize(
    ("site", "status"), [("same-origin", 200), ("cross-site", 403), ("same-site", 403), ("none", 403)]
)
def test_a_form_from_another_site_is_refused(reader, site, status):
    form = {"text": "yes", "csrf": csrf_of(reader)}
    assert reader.post("/save", data=form, headers={"Sec-Fetch-Site": site}).status_code == status


def test_large_bodies_are_refused(reader):
    secret = csrf_of(reader)
    assert reader.post("/save", data={"text": "x" * 200_000, "csrf": secret}).status_code == 200
    assert reader.post("/save", data={"text": "x" * 300_000, "csrf": secret}).status_code == 413
    assert reader.post("/save", content=(b"x" * 1000 for _ in range(300))).status_code == 413


def test_a_form_with_a_file_or_with_many_fields_is_refused(reader):
    secret = csrf_of(reader)
    many = {f"a{n}": "1" for n in range(300)}
    assert reader.post("/save", files={"text": b"x"}, headers={"X-CSRF-Token": secret}).status_code in (400, 403)
    assert reader.post("/save", data=many, headers={"X-CSRF-Token": secret}).status_code in (400, 403)


# ---- pages about errors ----------------------------------------------------------------------------------------------


ERROR_PAGES = [
    ("/nothing", 404, "Not found", "There is no such page."),
    ("/page/", 404, "Not found", "There is no such page."),
    ("/static/../x", 404, "Not found", ""),
    ("/static/x.css", 404, "Not found", "There is no such page."),
    ("/number?n=many", 400, "That did not work", "not a number"),
    ("/refused", 404, "Not found", "no problem has this id; search for it"),
    ("/damaged", 500, "This page could not be made", "The terminal that runs wdw-build says why."),
    ("/openapi.json", 404, "Not found", ""),
]


@pytest.mark.parametrize(("path", "status", "heading", "said"), ERROR_PAGES)
def test_an_error_is_a_page_that_says_what_is_wrong(reader, path, status, heading, said):
    answer = reader.get(path)
    assert answer.status_code == status
    assert f"<h1>{heading}</h1>" in answer.text
    assert said in answer.text


def test_a_refused_form_is_not_said_to_be_missing(reader):
    answer = reader.post("/refused", data={"csrf": csrf_of(reader)})
    assert answer.status_code == 400
    assert "Not found" not in answer.text


def test_a_failure_is_told_in_the_terminal_alone(reader):
    REPORTED.clear()
    assert "was changed" not in reader.get("/damaged").text
    assert REPORTED == ["GET /damaged failed: part-00000.jsonl was changed; run the stage again"]


def test_an_unexpected_exception_is_a_page_that_does_not_show_it(reader):
    answer = reader.get("/broken?token=abc")
    assert answer.status_code == 500
    assert "An unexpected error" in answer.text
    assert "ZeroDivision" not in answer.text


# ---- the server ------------------------------------------------------------------------------------------------------


def test_a_real_server_answers_and_logs_no_address(app, capfd):
    listener = Listener()
    with running(app, listener):
        address = urlsplit(listener.address(ACCESS.owner))
        assert (address.hostname, address.path, address.port) == ("127.0.0.1", "/enter", listener.port)
        for path in (f"{address.path}?{address.query}", "/nothing", "/ bad"):
            connection = http.client.HTTPConnection(address.hostname, address.port, timeout=300)
            connection._validate_path = lambda _: None
            connection.request("GET", path)
            connection.getresponse().read()
            connection.close()
    out, err = capfd.readouterr()
    assert ACCESS.owner not in out + err


@pytest.mark.parametrize(("host", "is_warned"), [("127.0.0.1", False), ("localhost", False), ("0.0.0.0", True)])
def test_only_a_listener_for_the_network_has_a_warning(host, is_warned):
    listener = Listener(host)
    listener.socket.close()
    assert bool(listener.warning) is is_warned


def test_serving_returns_when_it_is_interrupted(app):
    listener, ready = Listener(), []

    def interrupted():
        ready.append(True)
        raise KeyboardInterrupt

    serve(app, listener, interrupted)
    listener.socket.close()
    assert ready
