"""Allow ``python -m wdw_build.cli``."""

import sys

from wdw_build.cli import main

sys.exit(main())
