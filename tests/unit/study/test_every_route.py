"""No page of ``annotate`` and ``collect`` is open to everybody, and those of the owner are the owner's alone."""

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from support.collected import collection_folder
from support.served import ACCESS, Browser
from support.sheets import sheet_folder
from wdw_study.collecting.questions import Answerer
from wdw_study.web.server import Listener
from wdw_study.web.serving import collecting_app, judging_app

OWNERS = "/owner"


@pytest.fixture(params=["annotate", "collect"])
def app(request, tmp_path):
    listener = Listener()
    listener.socket.close()
    if request.param == "annotate":
        return judging_app(sheet_folder(tmp_path), ACCESS, listener)
    return collecting_app(collection_folder(tmp_path), Answerer(None, print), ACCESS, listener)


def routes(app):
    """(method, path) of every route, also of those in included routers."""
    every = (getattr(getattr(each, "original_router", None), "routes", [each]) for each in app.routes)
    found = [route for each in every for route in each if route.path != "/static"]  # files for everybody
    assert all(isinstance(route, APIRoute) for route in found)
    return [(method, route.path) for route in found for method in route.methods if route.path != "/enter"]


def refused(app, token):
    """The routes that a session with this token, without the secret of its forms, is refused."""
    client = TestClient(app, base_url="http://127.0.0.1")
    client.get("/enter", params={"token": token}, follow_redirects=False)

    def is_refused(method, path):
        filled = path.format(number=1, name="harbour")
        return client.request(method, filled, follow_redirects=False).status_code == 403

    return {route for route in routes(app) if is_refused(*route)}


def test_without_a_token_everything_is_refused(app):
    assert refused(app, "") == set(routes(app))
    assert len(routes(app)) > 10


def test_a_reader_is_refused_the_pages_of_the_owner_and_every_form_without_the_secret(app):
    owners = {(method, path) for method, path in routes(app) if path.startswith(OWNERS)}
    forms = {(method, path) for method, path in routes(app) if method == "POST"}
    assert owners
    assert refused(app, ACCESS.reader) == owners | forms
    assert refused(app, ACCESS.owner) == forms


def test_a_sign_out_ends_the_role_of_owner(app):
    browser = Browser(app, ACCESS.owner)
    browser.get("/sign-in")
    assert browser.get(OWNERS).status_code == 200
    assert "<h1>Sign in</h1>" in browser.post("/sign-out").text
    assert browser.get(OWNERS).status_code == 403
