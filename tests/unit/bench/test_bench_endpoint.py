"""``bench`` with a model behind an endpoint: the row, the note on answers without a choice, and no key."""

from concurrent.futures import ThreadPoolExecutor

from support.bench_tables import text
from support.chat_server import chat_server
from wdw_bench import training
from wdw_build.pipeline import registry


def test_bench_says_how_many_answers_name_no_choice_and_asks_nothing_twice(bench, monkeypatch, tmp_path, capsys, run):
    monkeypatch.setattr(registry, "SYSTEMS", {"api": "wdw_bench.systems.endpoint:API"})
    monkeypatch.setenv("TINY_KEY", "sk-secret-123")
    with chat_server(lambda request: "nobody sk-secret-123") as server:
        settings = {"api": {"url": server.url, "model": "tiny", "key_variable": "TINY_KEY"}}
        results = bench("api", settings=settings, mode="lines")
        asked = len(server.requests)
        settings["api"]["parallel"] = 1
        again = bench("api", settings=settings, mode="lines")
        assert len(server.requests) == asked > 0
    (row,) = (row for row in results.systems if row.system == "api")
    assert row.name == f"api [url={server.url}, model=tiny]"
    assert (row.test.accuracy, row.unanswered) == (0.0, results.problems["test"])
    assert "gave no answer, or none that names one choice, to" in text(again)
    shown = capsys.readouterr()
    written = [path for folder in (tmp_path, run.folder) for path in folder.rglob("*") if path.is_file()]
    assert not any(b"sk-secret-123" in path.read_bytes() for path in written)
    assert "sk-secret" not in shown.err + shown.out


def test_workers_say_why_problems_are_unanswered(bench, monkeypatch, capsys):
    monkeypatch.setattr(registry, "SYSTEMS", {"api": "wdw_bench.systems.endpoint:API"})
    monkeypatch.setattr(training, "ProcessPoolExecutor", lambda workers, *_: ThreadPoolExecutor(1))
    with chat_server(lambda request: "") as server:
        settings = {"api": {"url": server.url, "model": "tiny"}}
        bench("api", settings=settings, conditions=("passage", "without"), workers=2, mode="lines")
    assert capsys.readouterr().err.count("unanswered: the response has no text") == 4
