"""The table of attacks names every id, and notices one whose tests are gone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def printed(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, folder / "table.py"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_each_required_id_has_a_test() -> None:
    made = printed(FOLDER)
    assert (made.returncode, made.stderr) == (0, "")
    assert "39 of 39 ids have tests" in made.stdout
    assert re.search(r"^C1 +test_shared_host_scripts\.py +[0-9a-f]{7,}$", made.stdout, re.MULTILINE)


def test_an_id_whose_tests_are_gone_is_reported(tmp_path: Path) -> None:
    for file in (FOLDER / "table.py", *FOLDER.glob("test_*.py")):
        shutil.copy(file, tmp_path)
    (tmp_path / "test_no_telemetry.py").write_text('"""A file without tests."""\n')
    made = printed(tmp_path)
    assert (made.returncode, made.stderr) == (1, "without a test: H2\n")
