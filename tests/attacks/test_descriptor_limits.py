"""256 descriptors: the soft limit is raised, and connections are bounded below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.cli.descriptors import connections_below
from served import served


def test_the_soft_limit_is_raised(tmp_path: Path) -> None:
    low = ("bash", "-c", 'ulimit -S -n 100; exec "$@"', "low")
    with served("host", tmp_path, prefix=low) as found:
        limits = Path(f"/proc/{found.process.pid}/limits").read_text()
        connections = [found.connect() for _ in range(150)]
        for each in connections:
            each.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert all(each.recv(100).startswith(b"HTTP/1.1 200") for each in connections)
        for each in connections:
            each.close()
    (line,) = [each for each in limits.splitlines() if each.startswith("Max open files")]
    assert int(line.split()[3]) > 100


@pytest.mark.parametrize(
    ("descriptors", "expected"), [(256, 128), (1024, 768), (65_536, 10_000), (64, 16)]
)
def test_connections_leave_descriptors_for_other_things(descriptors: int, expected: int) -> None:
    assert connections_below(descriptors, 10_000) == expected
