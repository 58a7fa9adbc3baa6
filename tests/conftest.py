"""Puts tests/ on the path, so that every test finds the fakes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
