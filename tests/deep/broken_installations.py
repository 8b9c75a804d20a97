"""The broken installation that takes longest: a program without its built files.

Run by `make test-deep`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from broken_installations import SLOW
from trial_folder import TrialFolder


def main() -> None:
    for breaking in SLOW:
        with tempfile.TemporaryDirectory() as name, ExitStack() as held:
            source = Path(name, "source")
            source.mkdir()
            (source / "docs.json").write_text(
                '{"name": "Handbook", "navigation": {"pages": ["index"]}}'
            )
            (source / "index.mdx").write_text("# Welcome\n")
            trial = TrialFolder(Path(name), source, _nothing, _nothing, held)
            broken = breaking(trial)
            ended = subprocess.run(
                [sys.executable, "-m", "docstead.cli", *map(str, broken.arguments)],
                env={**os.environ, "DOCSTEAD_DATA": str(trial.data), **broken.settings},
                capture_output=True,
                text=True,
                check=False,
            )
            last = ended.stderr.splitlines()[-1]
            is_good = broken.named in last and broken.advice in last
            print(f"{breaking.__name__}: status {ended.returncode}, {last}")
            if not is_good or ended.returncode != broken.status or "Traceback" in ended.stderr:
                sys.exit(1)


def _nothing(*_: object) -> None:
    raise RuntimeError("this case needs no store")


if __name__ == "__main__":
    main()
