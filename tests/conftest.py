"""Puts tests/ on the path, so that every test finds the fakes; makes property tests the same in every run."""

import signal
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))
# A suite started in the background has Ctrl-C ignored, and its children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# A random find must not turn an unrelated change red; look for new ones with --hypothesis-profile=default.
settings.register_profile("same-every-run", derandomize=True, deadline=None)
settings.load_profile("same-every-run")
