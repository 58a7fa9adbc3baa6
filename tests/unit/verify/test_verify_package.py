"""The package shares no rule with the pipeline."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_verify_imports_no_rule_of_the_pipeline():
    allowed = {"wdw_build.errors", "wdw_build.records", "wdw_build.verify"}
    allowed |= {"wdw_build.core.config.settings", "wdw_build.core.hashing"}
    for path in (ROOT / "src/wdw_build/verify").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                mine = any(module == name or module.startswith(f"{name}.") for name in allowed)
                assert mine or not module.startswith("wdw_build"), f"{path.name}: {module}"
