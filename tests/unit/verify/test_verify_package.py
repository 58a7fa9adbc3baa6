"""The package shares no rule with the pipeline, and its table is documented."""

import ast
from pathlib import Path

from wdw_build.verify import PROMISES

ROOT = Path(__file__).parents[3]


def test_verify_imports_no_rule_of_the_pipeline():
    allowed = {"wdw_build.errors", "wdw_build.records", "wdw_build.core.config.settings", "wdw_build.verify"}
    for path in (ROOT / "src/wdw_build/verify").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                mine = any(module == name or module.startswith(f"{name}.") for name in allowed)
                assert mine or not module.startswith("wdw_build"), f"{path.name}: {module}"


def test_the_documented_table_of_promises_is_current():
    text = (ROOT / "docs/verify.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| `")]
    assert {name.strip(" `"): promise.strip() for name, promise in rows} == PROMISES
