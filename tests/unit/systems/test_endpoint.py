"""The system of an endpoint: what it asks and keeps, when it asks again, how it fails, and that the key is written nowhere."""

import gzip
import json
import socket
import threading
from types import SimpleNamespace

import pytest

from support.chat_server import chat_server, completion
from support.reading import reading_problem
from wdw_bench.systems.endpoint import API, ApiConfig
from wdw_build.adapters.endpoint import client as endpoint_client
from wdw_build.core.progress import Progress
from wdw_build.errors import ConfigError, MissingResourceError, StageError, WdwError
from wdw_build.reading import TrainingContext

KEY = "sk-secret-123"
NAMES = ["Ann Fox", "Bo Lee", "Zoë Ødegård"]
PASSAGE = "Ann Fox met Bo Lee and Zoë Ødegård."
PROBLEMS = [reading_problem(f"Then XXX won race {at} .", PASSAGE, NAMES) for at in range(4)]


@pytest.fixture
def waits(monkeypatch):
    """The seconds that a client would have waited; it does not wait."""
    found = []

    class Event(threading.Event):
        def wait(self, timeout=None):
            found.append(timeout)

    monkeypatch.setattr(endpoint_client, "threading", SimpleNamespace(Event=Event))
    return found


def answers(tmp_path, url, problems=PROBLEMS, mode="quiet", **settings):
    config = ApiConfig(url=url, model="tiny", **settings)
    workspace = TrainingContext(answers=tmp_path / "answers", progress=Progress(mode))
    API.backends(config, workspace)
    system = API.make(config)
    system.fit((), (), workspace)
    return [prediction.scores for prediction in system.choose(problems)]


def test_a_kept_answer_is_not_asked_for_again(tmp_path):
    with chat_server(lambda request: "Bo Lee") as server:
        first = answers(tmp_path, server.url)
        again = answers(tmp_path, server.url, parallel=1, timeout=3)
        assert first == again == [(0.0, 1.0, 0.0)] * 4
        assert len(server.requests) == 4
        answers(tmp_path, server.url, options={"temperature": 1})
        assert len(server.requests) == 8
    assert {request["temperature"] for request in server.requests[:4]} == {0}
    assert server.headers[0]["path"] == "/v1/chat/completions"


def test_equal_requests_of_one_call_are_sent_once(tmp_path):
    with chat_server(lambda request: "Bo Lee") as server:
        assert answers(tmp_path, server.url, [PROBLEMS[0]] * 3) == [(0.0, 1.0, 0.0)] * 3
    assert len(server.requests) == 1


def test_the_prompt_has_passage_question_and_names_in_another_order_than_the_passage(tmp_path):
    with chat_server(lambda request: "A") as server:
        scores = answers(tmp_path, server.url, method="letters", parallel=1)
    prompts = [request["messages"][0]["content"] for request in server.requests]
    for prompt, problem, found in zip(prompts, PROBLEMS, scores, strict=True):
        assert problem.passage in prompt
        assert problem.question in prompt
        first = prompt.partition("\nA. ")[2].partition("\n")[0]
        assert found == tuple(float(name == first) for name in NAMES)
    assert len(set(scores)) > 1


GONE = json.dumps({"choices": [{"message": {"content": ""}, "error": {"code": 502, "message": "gone"}}]})


def test_overload_and_time_outs_are_tried_again_after_as_long_as_the_server_asks(tmp_path, waits, capsys):
    headers = [{"Retry-After": value} for value in ("86400", "7", "1.5", "²", "Sat, 1 Jan 2000 0:0:0")]
    replies = iter([*((429, header, "slow down") for header in headers), (503, {}, ""), (200, {}, GONE), "Ann Fox"])
    with chat_server(lambda request: next(replies)) as server:
        assert answers(tmp_path, server.url, PROBLEMS[:1], mode="lines", retries=7) == [(1.0, 0.0, 0.0)]
    # A server may ask for a day.
    assert waits == [60.0, 7.0, 4.0, 8.0, 16.0, 32.0, 60.0]
    assert "api: status 429: slow down; the next attempt is in 60 s" in capsys.readouterr().err


def test_after_the_last_attempt_the_error_says_what_the_server_said_and_answers_are_kept(tmp_path, waits):
    def reply(request):
        return (429, {}, "quota of team 7") if "race 3" in request["messages"][0]["content"] else "Bo Lee"

    with chat_server(reply) as server, pytest.raises(StageError, match="after 3 attempts: status 429: quota of team 7"):
        answers(tmp_path, server.url, retries=2, parallel=1)
    assert len(list((tmp_path / "answers").iterdir())) == 3


def test_a_server_that_does_not_listen_is_one_error_at_once(tmp_path, waits):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        with pytest.raises(MissingResourceError, match=r"cannot reach .*refused") as caught:
            answers(tmp_path, url)
    assert "start the server" in caught.value.hint
    assert not waits


@pytest.mark.parametrize("body", ["<html>", "{}", "[]", '{"choices": [{"text": "Bo Lee"}]}', "data: {}\n\n"])
def test_a_page_that_is_no_completion_is_refused(tmp_path, body):
    with chat_server(lambda request: (200, {}, body)) as server, pytest.raises(StageError, match="OpenAI form"):
        answers(tmp_path, server.url)


CUT, EMPTY = "the output was cut off before an answer", "the response has no text, or only reasoning"


RESPONSES = [
    (completion("<think>\nBo Lee or Ann Fox?</think>\n\n**Ann Fox**"), ""),
    (completion("Is it Bo Lee?\n</think>\n\nAnn Fox"), ""),
    (completion("[THINK]Bo Lee?[/THINK]Ann Fox"), ""),
    (completion("<|channel|>analysis<|message|>Bo Lee<|end|><|channel|>final<|message|>Ann Fox"), ""),
    (completion("Fox", "length"), ""),
    (completion("Ann Fox", None), ""),
    (completion([{"type": "thinking", "thinking": "Bo Lee"}, {"type": "text", "text": "Ann Fox"}]), ""),
    (completion("Ann Fox", usage={"prompt_tokens": 9.0, "completion_tokens": None}), ""),
    ("\ufeff \n" + completion("Ann Fox"), ""),
    ((200, {"Content-Encoding": "gzip"}, gzip.compress(completion("Ann Fox").encode())), ""),
    (completion("<think>\nFirst Ann Fox", "length"), CUT),
    (completion("<think>\nFirst Ann Fox"), EMPTY),
    (completion("Process:\n1. Ann Fox", "length"), CUT),
    (completion(None, "length", reasoning_content="Ann Fox"), CUT),
    (completion(None), EMPTY),
    ('{"choices": [], "usage": null}', EMPTY),
    (completion("Ann Fox or Bo Lee"), "the output names no choice or several: Ann Fox or Bo Lee"),
    (completion("Ann", "content_filter"), "a content filter withheld the answer"),
    ('{"error": {"message": "too long", "code": "context_length_exceeded"}}', "status 400: too long"),
    ((400, {}, "context length is 9"), "the server refused the prompt: status 400: context length is 9"),
]


@pytest.mark.parametrize(("reply", "fault"), RESPONSES)
def test_a_response_has_an_answer_or_the_reason_why_not_is_said_and_it_is_asked_again(tmp_path, capsys, reply, fault):
    answer = reply if isinstance(reply, tuple) else (200, {}, reply)
    with chat_server(lambda request: answer if "race 3" in str(request) else "Bo Lee") as server:
        expected = [(0.0, 1.0, 0.0)] * 3 + [() if fault else (1.0, 0.0, 0.0)]
        assert answers(tmp_path, server.url, mode="lines") == expected
        assert answers(tmp_path, server.url) == expected
    assert len(server.requests) == (5 if fault and "names" not in fault else 4)
    shown = capsys.readouterr().err
    assert ("api: 1 of 4 problems are unanswered: " in shown) == bool(fault)
    assert fault in shown


ERRORS = [
    ({"message": "Rate limit exceeded", "code": 429}, "after 2 attempts: status 429: Rate limit exceeded"),
    ("model is loading", "after 2 attempts: model is loading"),
    ({"message": "No such key", "code": "401"}, "refused a request with status 401: No such key"),
    ({"message": "No model tiny", "code": 404}, "refused a request with status 404: No model tiny"),
]


@pytest.mark.parametrize(("error", "said"), ERRORS)
def test_an_error_with_status_200_is_treated_as_its_code_says(tmp_path, waits, error, said):
    body = json.dumps({"error": error})
    with chat_server(lambda request: (200, {}, body)) as server, pytest.raises(WdwError, match=said):
        answers(tmp_path, server.url, retries=1)


def test_the_key_is_sent_in_a_header_and_is_in_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("TINY_KEY", f"{KEY}\n")
    with chat_server(lambda request: f"Bo Lee {request['messages'][0]['role']} {KEY}") as server:
        assert answers(tmp_path, server.url, key_variable="TINY_KEY") == [(0.0, 1.0, 0.0)] * 4
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"[key]" in written
    assert KEY.encode() not in written


@pytest.mark.parametrize("status", [400, 401, 429])
def test_no_error_shows_the_key(tmp_path, monkeypatch, waits, status):
    monkeypatch.setenv("TINY_KEY", KEY)
    reply = (status, {}, f"Incorrect key: {KEY}")
    with chat_server(lambda request: reply) as server, pytest.raises((StageError, MissingResourceError)) as caught:
        answers(tmp_path, server.url, key_variable="TINY_KEY", retries=1)
    assert f"status {status}: Incorrect key: [key]" in caught.value.message
    assert KEY not in f"{caught.value.message} {caught.value.hint} {caught.value.__cause__}"
    assert caught.value.exit_code == {401: 3}.get(status, 1)


def test_the_key_does_not_follow_a_redirect(tmp_path, monkeypatch):
    monkeypatch.setenv("TINY_KEY", KEY)
    with chat_server(lambda request: "Bo Lee") as other:
        moved = (302, {"Location": f"{other.url}/chat/completions"}, "")
        with chat_server(lambda request: moved) as server, pytest.raises(StageError, match="status 302"):
            answers(tmp_path, server.url, key_variable="TINY_KEY")
    assert not other.requests


@pytest.mark.parametrize("key", ["sk one two", "sk\nX: y", "schlüssel"])
def test_a_value_that_is_no_key_is_refused_and_not_shown(tmp_path, monkeypatch, key):
    monkeypatch.setenv("TINY_KEY", key)
    with pytest.raises(ConfigError, match="TINY_KEY does not hold a key") as caught:
        answers(tmp_path, "http://127.0.0.1:9/v1", key_variable="TINY_KEY")
    assert key not in str(caught.value)


def test_a_missing_key_or_endpoint_is_said_before_anything_runs(monkeypatch, tmp_path):
    monkeypatch.delenv("TINY_KEY", raising=False)
    with pytest.raises(MissingResourceError, match="TINY_KEY is not set"):
        answers(tmp_path, "http://127.0.0.1:9/v1", key_variable="TINY_KEY")
    assert not API.configured(ApiConfig())
    with pytest.raises(MissingResourceError, match="there is no endpoint"):
        API.backends(ApiConfig(), None)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://h/v1", "https://user:sk-1@h/v1", "https://h/v1?key=sk-1"])
def test_a_url_that_is_none_or_holds_a_key_is_refused_and_not_shown(tmp_path, url):
    with pytest.raises(ConfigError, match="not the base URL") as caught:
        answers(tmp_path, url)
    assert url not in str(caught.value)


def test_how_requests_are_sent_does_not_decide_predictions():
    settings = ApiConfig(url="u", model="m", parallel=9, key_variable="K")
    assert API.deciding(settings) == API.deciding(ApiConfig(url="u", model="m"))


def test_null_omits_a_field_of_the_request():
    options = {"max_tokens": None, "max_completion_tokens": 500}
    assert ApiConfig(options=options).limits == {"temperature": 0, "max_completion_tokens": 500}
