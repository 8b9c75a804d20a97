"""Marks conditions in the processes that tests start, too."""

import os
import sys
from pathlib import Path

if os.environ.get("DOCSTEAD_DROPPED"):
    sys.path.append(str(Path(__file__).parents[2]))
    from conditions import runtime

    runtime.install()
