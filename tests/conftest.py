"""Ctrl-C reaches the tests, and property tests have the same examples in every run."""

import signal

from hypothesis import settings

# A suite started in the background has Ctrl-C ignored, and its children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# A random example must not turn an unrelated change red. `make test-nightly` looks for new ones.
settings.register_profile("same-every-run", derandomize=True, deadline=None)
settings.register_profile("random", max_examples=500, deadline=None, print_blob=True)
settings.register_profile("mutation", settings.get_profile("same-every-run"), max_examples=10, database=None)
settings.load_profile("same-every-run")
