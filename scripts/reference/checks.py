"""The page of the checks of ``verify``, from its promises."""

from __future__ import annotations

from reference.tables import page, table
from wdw_build.verify import PROMISES

INTRODUCTION = """`wdw-build verify` checks the promises below, using only the files of a run:

```console
$ wdw-build verify -c configs/sample.yaml
```

For the output and the limits of the checks, see [Verify a dataset](../howto/verify-a-dataset.md)."""


def checks() -> str:
    """Every check with its promise."""
    rows = [(f"`{name}`", promise) for name, promise in PROMISES.items()]
    return page("Checks of verify", INTRODUCTION, table(("check", "promise"), rows))
