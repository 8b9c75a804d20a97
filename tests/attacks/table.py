"""Print each known attack with the tests that make it again, their commit and what they assert.

    python tests/attacks/table.py

Everything but the ids in `ATTACKS` is read from the files of this folder: an id from the name of a
test function, the assertion from its docstring or its name. The commit is the one that added the
file, under this name or another, in a clone that has it. Ends with status 1 where an id that must
have a test has none.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
REQUIRED = (
    *("c1", "c2", "h1", "h2", "h3", "h4"),
    *(f"m{number}" for number in range(1, 12)),
    *(f"low_{number}" for number in range(1, 13)),
    *(f"schema_{number}" for number in range(1, 10)),
    "fault_18",
)
ATTACKS = {  # of whole files; test functions name other ids themselves
    "test_abandoned_files.py": "low_8",
    "test_agent_writes.py": "low_7",
    "test_anonymous_floods.py": "m4",
    "test_archive_bombs.py": "m7",
    "test_busy_service.py": "m5",
    "test_clock_jumps.py": "m2",
    "test_concurrent_decoding.py": "fault_18",
    "test_connection_limits.py": "h4",
    "test_damaged_data_folder.py": "fault_12",
    "test_damaged_editions.py": "m1",
    "test_descriptor_limits.py": "fault_9",
    "test_error_format.py": "low_2",
    "test_export_retention.py": "fault_14",
    "test_file_permissions.py": "low_9",
    "test_form_origins.py": "low_11",
    "test_full_disk.py": "fault_11",
    "test_group_pages.py": "h1",
    "test_ignore_patterns.py": "c2",
    "test_image_lock.py": "m11",
    "test_large_offsets.py": "m8",
    "test_log_floods.py": "low_3",
    "test_no_telemetry.py": "h2",
    "test_open_redirects.py": "low_11",
    "test_page_isolation.py": "low_5",
    "test_passwords.py": "m10",
    "test_playground_proxy.py": "m6",
    "test_private_repositories.py": "h3",
    "test_remote_specifications.py": "m9",
    "test_revoked_keys.py": "low_4",
    "test_root_secrets.py": "m3",
    "test_script_urls.py": "low_12",
    "test_second_service.py": "fault_13",
    "test_shared_host_scripts.py": "c1",
    "test_sites_without_database.py": "nodes_4",
    "test_unusable_databases.py": "low_10",
    "test_upkeep_outages.py": "fault_8",
    "test_v8_surface.py": "low_6",
    "test_websockets.py": "low_1",
}
_ID = re.compile(r"test_((?:c|h|m)\d+|(?:low|schema|fault|nodes)_\d+)(?=_|$)")


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The tests of one file for one id. `asserts` are sentences."""

    id: str
    file: str
    asserts: tuple[str, ...]


def reproductions(folder: Path = FOLDER) -> list[Reproduction]:
    """Every id of a folder with its files, in the order of `REQUIRED`; other ids follow."""
    found = [each for file in sorted(folder.glob("test_*.py")) for each in _of_file(file)]
    return sorted(found, key=lambda each: (_rank(each.id), each.file))


def missing(found: list[Reproduction]) -> list[str]:
    """The required ids without a test."""
    return [each for each in REQUIRED if each not in {one.id for one in found if one.asserts}]


def commits(folder: Path = FOLDER) -> dict[str, str]:
    """The commit that added each file of a folder; empty outside of a clone."""
    command = ("git", "log", "--diff-filter=AR", "-M", "--name-status", "--format=:%h", "--", ".")
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found: dict[str, str] = {}
    present: dict[str, str] = {}  # names by earlier ones: the log begins with the latest commit
    commit = ""
    for line in filter(None, made.stdout.splitlines()):
        if line.startswith(":"):
            commit = line[1:]
            continue
        _, *names = (Path(each).name for each in line.split("\t"))
        name = present.get(names[-1], names[-1])
        if len(names) == 1:
            found[name] = commit
        else:
            present[names[0]] = name
    return found


def _rank(name: str) -> tuple[int, str]:
    return (REQUIRED.index(name), "") if name in REQUIRED else (len(REQUIRED), name)


def _of_file(file: Path) -> Iterator[Reproduction]:
    module = ast.parse(file.read_text("utf-8"))
    of_file = ATTACKS.get(file.name)
    by_id: dict[str, list[str]] = defaultdict(list)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            name = _id(node.name) or of_file
            if name is not None:
                by_id[name].append(_asserted(node))
    for name, asserts in by_id.items():
        yield Reproduction(name, file.name, tuple(asserts))


def _id(name: str) -> str | None:
    found = _ID.match(name)
    return found[1] if found else None


def _asserted(test: ast.FunctionDef) -> str:
    words = re.sub(r"^test_((?:low|schema|fault)_\d+_)?", "", test.name).replace("_", " ")
    return (ast.get_docstring(test) or words).splitlines()[0]


def _shown(name: str) -> str:
    upper = name[1:].isdigit() or name.startswith("low")
    return (name.upper() if upper else name).replace("_", "-")


def main() -> int:
    found = reproductions()
    added = commits()
    for each in found:
        print(f"{_shown(each.id):10} {each.file:30} {added.get(each.file, '')}".rstrip())
        sys.stdout.writelines(f"{'':11}{text}\n" for text in each.asserts)
    absent = missing(found)
    print(f"{len(REQUIRED) - len(absent)} of {len(REQUIRED)} ids have tests")
    if absent:
        print(f"without a test: {', '.join(map(_shown, absent))}", file=sys.stderr)
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
