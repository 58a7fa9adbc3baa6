"""No page of ``annotate`` and ``collect`` is open to everybody, and those of the owner are the owner's alone."""

import re

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from wdw_study.collection.adversary_worker import Answerer
from wdw_study.web.annotate import annotate_app
from wdw_study.web.base import Access, Listener
from wdw_study.web.collect import collect_app

from support.collected import collection_folder
from support.sheets import sheet_folder

ACCESS = Access("r" * 32, "o" * 32, "c" * 32)
OPEN = {"/enter", "/static/{name}"}
OWNERS = ("/owner", "/progress")


@pytest.fixture(params=["annotate", "collect"])
def app(request, tmp_path):
    listener = Listener()
    listener.socket.close()
    if request.param == "annotate":
        return annotate_app(sheet_folder(tmp_path), ACCESS, listener)
    return collect_app(collection_folder(tmp_path), Answerer(None, print), ACCESS, listener)


def routes(app):
    """(method, path) of every route, also of those in included routers."""
    found = [
        route for each in app.routes for route in getattr(getattr(each, "original_router", None), "routes", [each])
    ]
    assert all(isinstance(route, APIRoute) for route in found)
    return [(method, route.path) for route in found for method in route.methods if route.path not in OPEN]


def refused(app, token):
    """The routes that a session with this token, without the secret of its forms, is refused."""
    client = TestClient(app, base_url="http://127.0.0.1")
    client.get("/enter", params={"token": token}, follow_redirects=False)
    paths = [(method, path, path.format(number=1, name="harbour")) for method, path in routes(app)]
    return {
        (method, path)
        for method, path, filled in paths
        if client.request(method, filled, follow_redirects=False).status_code == 403
    }


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
    client = TestClient(app, base_url="http://127.0.0.1")
    client.get("/enter", params={"token": ACCESS.owner})
    (secret,) = set(re.findall(r'name="csrf" value="([^"]+)"', client.get("/sign-in").text))
    owners = next(path for path in OWNERS if client.get(path).status_code == 200)
    signed_out = client.post("/sign-out", data={"csrf": secret})
    assert "<h1>Sign in</h1>" in signed_out.text
    assert client.get(owners).status_code == 403


def test_every_address_of_every_page_is_below_the_path_of_a_proxy(app):
    client = TestClient(app, base_url="http://127.0.0.1")
    client.get("/enter", params={"token": ACCESS.owner})
    (secret,) = set(re.findall(r'name="csrf" value="([^"]+)"', client.get("/sign-in").text))
    client.post("/sign-in", data={"csrf": secret, "name": "Eve"})
    client.headers["X-Forwarded-Prefix"] = "/study1"
    paths = [path.format(number=1, name="harbour") for method, path in routes(app) if method == "GET"]
    pages = [client.get(path, follow_redirects=False) for path in paths]
    addresses = [address for page in pages for address in re.findall(r'="(/[^"]*)"', page.text)]
    addresses += [page.headers["location"] for page in pages if page.is_redirect]
    assert len(addresses) > 30
    assert [address for address in addresses if not address.startswith("/study1/")] == []
