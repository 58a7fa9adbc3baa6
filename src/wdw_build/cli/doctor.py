"""``doctor``: checks that the programs, packages and models of the pipeline are installed, and prints how to get missing ones.

With a configuration, it checks what that configuration needs. It also names libraries in another version than that of the
released datasets, with which outputs may differ.
``setup`` builds what the package index has only as source code, KenLM's estimator, into the environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from typer import Option

from wdw_build.adapters import kenlm_build
from wdw_build.command import Json, Overrides, Quiet
from wdw_build.command.opened import print_result, progress_of
from wdw_build.core.installed import PIPELINE_PACKAGES, installed_version, other_versions
from wdw_build.errors import MissingResourceError
from wdw_build.pipeline.backends import cluster_state
from wdw_build.pipeline.config.file import load_config
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.registry import broken_plugins


class Finding(msgspec.Struct, frozen=True):
    """The state of one resource; ``hint`` says how to get a missing resource."""

    what: str
    ok: bool
    found: str
    hint: str = ""


def _packages() -> str:
    versions = [f"{name} {installed_version(name, 'the pipeline')}" for name in PIPELINE_PACKAGES]
    installed = ", ".join([f"Python {sys.version.split()[0]}", *versions])
    others = "; ".join(other_versions())
    return f"{installed}; outputs may differ from those of the tested versions: {others}" if others else installed


def _java() -> str:
    from wdw_build.adapters.lucene_java import jar, java_home, java_version

    home = java_home()
    return f"Java {java_version(home)} in {home}, {jar().name}"


def _models(models: str = "bundled") -> str:
    from wdw_build.adapters.stanza.models import find_models

    return find_models(models).identity


def _sentence_encoder() -> str:
    from wdw_build.adapters.sentence_models import SentenceEncoder

    return SentenceEncoder().identity


def _lm_tools() -> str:
    from wdw_build.adapters.kenlm_model import find_tool

    tools = [find_tool(name) for name in ("lmplz", "build_binary")]
    done = subprocess.run([str(tools[0]), "--help"], capture_output=True, text=True, check=False)
    if "order" not in done.stdout + done.stderr:
        raise MissingResourceError(f"{tools[0]} does not run", hint="delete it, then: wdw-build setup")
    return ", ".join(str(tool) for tool in tools)


def _plugins() -> str:
    if broken := broken_plugins():
        raise MissingResourceError("; ".join(broken), hint="correct or uninstall the packages that provide them")
    return "every entry point of other packages can be loaded"


_CHECKS: dict[str, Callable[[], str]] = {
    "packages": _packages,
    "java and lucene": _java,
    "models": _models,
    "sentence encoder": _sentence_encoder,
    "kenlm tools": _lm_tools,
    "plug-ins": _plugins,
}


def _checks_of(config: Config) -> dict[str, Callable[[], str]]:
    """The checks for what a configuration needs."""
    checks = _CHECKS | {"models": partial(_models, config.nlp.models), "scheduler": partial(cluster_state, config)}
    if "ngram" not in config.baselines.use:
        checks["kenlm tools"] = lambda: "not needed: baselines.use omits ngram"
    return checks


def _finding(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, check())
    except MissingResourceError as error:
        return Finding(what, False, error.message, error.hint)
    except (ImportError, OSError) as error:
        return Finding(what, False, f"{type(error).__name__}: {error}", "install the package again")


def doctor(
    overrides: Overrides,
    as_json: Json = False,
    config: Annotated[
        Path | None,
        Option("-c", "--config", metavar="FILE", help="check what this configuration needs, including its scheduler"),
    ] = None,
) -> None:
    """``doctor``: exits with code 3 if a resource is missing."""
    checks = _checks_of(load_config(config, overrides)) if config else _CHECKS
    findings = [_finding(what, check) for what, check in checks.items()]
    lines = []
    for finding in findings:
        lines.append(f"{'ok     ' if finding.ok else 'MISSING'} {finding.what}: {finding.found}")
        lines += [f"        get it: {finding.hint}"] * bool(finding.hint)
    print_result(findings, "\n".join(lines), as_json=as_json)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(MissingResourceError.exit_code)


def setup(quiet: Quiet = False, as_json: Json = False) -> None:
    """``setup``: ends at once if everything is there. Raises ``MissingResourceError``, with what to do."""
    if folder := os.environ.get("WDW_KENLM_BIN"):
        raise MissingResourceError(
            f"WDW_KENLM_BIN is set, so KenLM's tools are looked for in {folder} alone, where setup builds nothing",
            hint="unset it, then: wdw-build setup",
        )
    prefix = Path(sys.prefix)
    lmplz = prefix / "bin" / "lmplz"
    if kenlm_build.built(prefix):
        text = f"nothing to do: {lmplz} is there and runs"
        print_result({"lmplz": str(lmplz), "built": False}, text, as_json=as_json)
        return
    if not os.access(prefix, os.W_OK):
        raise MissingResourceError(
            f"{prefix} is not writable for you", hint="install the package into a virtual environment (python -m venv)"
        )
    progress = progress_of(quiet=quiet)
    progress.say(f"building KenLM's lmplz and build_binary into {prefix}, in a minute or two")
    try:
        kenlm_build.build(prefix, progress.say)
    except kenlm_build.BuildError as error:
        without = "or omit ngram from baselines.use, so that KenLM is not needed"
        raise MissingResourceError(str(error), hint=f"{error.hint}; {without}") from error
    print_result({"lmplz": str(lmplz), "built": True}, f"ready: {lmplz}", as_json=as_json)
