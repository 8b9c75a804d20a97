"""A command that kills itself at named checkpoints.

`killed_command.py POINTS WORD...` runs `docstead WORD...` (see `killed_node.Checkpoints`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from agent_worker import KillPoints
from docstead.cli import main
from killed_node import Checkpoints

if __name__ == "__main__":
    Checkpoints(KillPoints(Path(sys.argv[1]))).install()
    sys.argv = ["docstead", *sys.argv[2:]]
    main()
