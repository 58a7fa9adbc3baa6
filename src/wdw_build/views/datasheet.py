"""DATASHEET.md: what the dataset is, how it was made, its numbers, and its intended and unintended uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import yaml

from wdw_build.pipeline.config.file import as_keys, decode_config, inline_yaml
from wdw_build.pipeline.config.settings import Config
from wdw_build.similarity.leaks import KINDS
from wdw_build.stages.split import STAGE as SPLIT
from wdw_build.views import fact_tables
from wdw_build.views.dataset import Facts
from wdw_build.views.pages import markdown_environment
from wdw_build.views.sections import ReportSection

# Keys that do not change the dataset, or that are stated elsewhere.
_UNSHOWN = ("output_dir", "bench", "execution", "release")


def datasheet(facts: Facts, config: Config, sections: Sequence[ReportSection]) -> str:
    """The datasheet, in Markdown."""
    public = _without_folders(config)
    public_keys = {name: value for name, value in as_keys(public).items() if name not in _UNSHOWN}
    template = markdown_environment().get_template("datasheet.md.j2")
    return template.render(
        facts=facts,
        tables=fact_tables,
        config=config,
        sections=sections,
        kinds=KINDS,
        changed=list(changed_keys(public)),
        configuration=yaml.safe_dump(public_keys, sort_keys=False, allow_unicode=True),
    )


def _without_folders(config: Config) -> Config:
    """The configuration with the names of files and folders in place of their paths on this machine."""
    corpus = msgspec.structs.replace(
        config.corpus,
        path=Path(config.corpus.path).name,
        faulty_problems=tuple(Path(path).name for path in config.corpus.faulty_problems),
        omitted_problems=tuple(Path(path).name for path in config.corpus.omitted_problems),
    )
    return msgspec.structs.replace(
        config, corpus=corpus, nlp=msgspec.structs.replace(config.nlp, models=Path(config.nlp.models).name)
    )


def changed_keys(config: Config) -> Iterator[tuple[str, str, str]]:
    """(key, value, default) of each key with another value than its default under the preset of the run."""
    # Only these keys are set, on which the defaults of other keys depend.
    given = as_keys(config)
    unset = decode_config(
        {key: given[key] for key in ("run", "preset", "corpus", SPLIT.name)} | {"output_dir": ""}, Path(), Path()
    )
    defaults = as_keys(unset) | {SPLIT.name: msgspec.to_builtins(type(config.split)())}
    if config.preset != "careful":
        yield "preset", config.preset, "careful"
    for name, keys in given.items():
        if isinstance(keys, dict) and name not in ("corpus", *_UNSHOWN):
            for key, value in keys.items():
                if value != defaults[name][key]:
                    yield f"{name}.{key}", inline_yaml(value), inline_yaml(defaults[name][key])
