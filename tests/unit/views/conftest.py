"""A toy run with the facts of its report and the audit of its datasheet, made once."""

from typing import NamedTuple

import msgspec
import pytest

from support.toy_pipeline import begun
from wdw_build.core.progress import Progress
from wdw_build.dataset import Run
from wdw_build.pipeline import STAGES
from wdw_build.views.card import audit, datasheet
from wdw_build.views.report import gather, page
from wdw_build.views.summary import summarise


class Pages(NamedTuple):
    """The pages of a run, with other figures of systems and people."""

    run: object
    config: object
    totals: object
    audited: object
    facts: object

    def report(self, **changes):
        """The HTML of the report."""
        return page(self.facts._replace(**changes))

    def datasheet(self, **changes):
        """The Markdown of the datasheet."""
        return datasheet(msgspec.structs.replace(self.audited, **changes), self.totals, self.config, self.run)


@pytest.fixture(scope="session")
def pages_of_toy(tmp_path_factory):
    quiet = Progress("quiet")
    toy = begun(tmp_path_factory.mktemp("toy"))
    toy.run()
    run = Run(toy.run_folder, STAGES, toy.ready())
    totals = summarise(run)
    return Pages(run, toy.config, totals, audit(run, toy.config, totals, quiet), gather(run, 0, quiet))
