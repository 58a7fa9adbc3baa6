"""Pages that are one file: the report and the trace. They need no server, and hold for themselves what they need."""

import pytest

from wdw_build.core.progress import Progress
from wdw_build.views.dataset import facts
from wdw_build.views.record_page import page_html, record_page
from wdw_build.views.report import page as report


@pytest.fixture
def visit_file(visit, tmp_path):
    """Opens a page that is one file."""

    def opened(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode())
        return visit(path.as_uri())

    return opened


def test_a_report_is_accessible_and_fits_a_phone(visit_file, check_page, toy_run):
    shown = visit_file("report.html", report(toy_run, facts(toy_run), [], 0, Progress("quiet")))
    assert toy_run.name in shown.locator("h1").inner_text()
    check_page(shown, "report")


def test_a_trace_is_accessible(visit_file, check_accessibility, toy_run):
    problem = next(iter(toy_run.distinct_problems))
    shown = visit_file("trace.html", page_html(record_page(toy_run, problem.id), toy_run))
    assert shown.locator("h1").inner_text().startswith(problem.id)
    check_accessibility(shown)
