"""A whole run on the toy corpus with real export formats, and ways to change what it stored.

``forge`` writes a stage's output again with other records, so that its manifest fits them: only audits that compare stages
notice the change.
"""

import shutil
import tempfile
from functools import cache
from pathlib import Path

import msgspec

from support import toy_pipeline as toy
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.output import Output, OutputWriter
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.stage_order import BY_NAME
from wdw_build.ports import EXPORTERS
from wdw_build.stages.export import ExportConfig
from wdw_build.verify import verify

FORMATS = ("jsonl", "wdw-xml", "squad")


@cache
def _made(names, alternatives):
    folder = tempfile.TemporaryDirectory(prefix="forged-")
    export = ExportConfig(formats=FORMATS, names=names, alternatives=alternatives)
    exporters = Backends(toy.config(folder.name, export=export)).get(EXPORTERS)
    toy.pipeline(folder.name, toy.ports(exporters=exporters), export=export).run()
    return folder


def copied(folder, names="original", *, alternatives=False):
    """Copy the run's outputs into ``folder``, which then is the run. ``alternatives``: of a run that exports them, too."""
    for output in (Path(_made(names, alternatives).name) / "runs" / "toy").iterdir():
        if output.is_dir():
            shutil.copytree(output.resolve(), folder / output.name)


def failing(folder, names="original", **sections):
    """The report of the audit of a copied run, and the names of the checks that fail."""
    config = toy.config("unused", **{"export": ExportConfig(formats=FORMATS, names=names)} | sections)
    report = verify(folder, config)
    return report, [check.name for check in report.checks if check.failures]


def forge(folder, stage, change):
    """Write the records of a stage again after ``change`` has changed the list of them."""
    output = Output(folder / stage, BY_NAME[stage].writes)
    stated, records = output.manifest, msgspec.to_builtins(list(output.records()))
    change(records)
    refused = list(output.rejections())
    for path in [*output.folder.glob("part-*.jsonl"), output.folder / "index.sqlite"]:
        path.unlink()
    writer = OutputWriter(output.folder)
    for one in records:
        writer.add(jsonl.encode(msgspec.convert(one, output.kind)))
    for one in refused:
        writer.reject(jsonl.encode(one))
    forged = writer.finish(stated.ingredients, stated.reasons, devices=stated.devices)
    forged = msgspec.structs.replace(forged, content_hash=stated.content_hash)
    replace_file(output.folder / "manifest.json", jsonl.document(forged))


def set_field(record_id, **fields):
    """A change for ``forge``: other values in one record."""

    def change(records):
        next(one for one in records if one["id"] == record_id).update(fields)

    return change


def edit(path, old, new):
    """Replace a text of a file once."""
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")
