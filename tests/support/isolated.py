"""A program in its own network namespace, where all outgoing packets are recorded.

`run_isolated` starts a program in a network namespace: loopback works, and everything else
is routed to a device that answers nothing and records the destination of each packet. Name
servers are behind that device too, so that a lookup counts as an attempt to connect.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

_UNSHARE = ("unshare", "--map-root-user", "--net", "--mount")
_DEVICE = "way-out"
_COMMANDS = (
    "link set lo up",
    f"address add 192.0.2.1/24 dev {_DEVICE}",
    f"-6 address add fd00:1::1/64 dev {_DEVICE} nodad",
    f"link set {_DEVICE} up",
    f"route add default dev {_DEVICE}",
    f"-6 route add default dev {_DEVICE}",
)
_NAME_SERVER = "nameserver 192.0.2.53\n"
_ICMPV6 = (0, 58)  # the kernel's discovery of routers and neighbors


def run_isolated(program: Path, arguments: Sequence[str], environment: Mapping[str, str]) -> Any:
    """Run `program`, a Python file with `main(arguments)`; return its result and `"packets"`.

    Skips the test if the machine does not allow namespaces and network devices.
    """
    probe = subprocess.run(
        [*_UNSHARE, sys.executable, __file__], capture_output=True, text=True, check=False
    )
    if probe.returncode:
        pytest.skip(f"no network namespace with a device of its own: {probe.stderr[-200:]}")
    command = [*_UNSHARE, sys.executable, __file__, str(program), *arguments]
    done = subprocess.run(
        command, env=dict(environment), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


class WayOut:
    """The device for all traffic except loopback."""

    def __init__(self) -> None:
        self._file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        tun_without_header = 0x0001 | 0x1000
        set_interface = 0x400454CA
        name = struct.pack("16sH22x", _DEVICE.encode(), tun_without_header)
        fcntl.ioctl(self._file, set_interface, name)
        for command in _COMMANDS:
            subprocess.run(["ip", *command.split()], check=True, capture_output=True)
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(_NAME_SERVER)
        subprocess.run(["mount", "--bind", file.name, "/etc/resolv.conf"], check=True)

    def destinations(self) -> list[str]:
        """Return the destination of each packet so far."""
        found = []
        try:
            while packet := os.read(self._file, 65536):
                found += _destination(packet)
        except BlockingIOError:
            return found
        return found


def _destination(packet: bytes) -> list[str]:
    if packet[0] >> 4 == 4:
        return [socket.inet_ntop(socket.AF_INET, packet[16:20])]
    return [] if packet[6] in _ICMPV6 else [socket.inet_ntop(socket.AF_INET6, packet[24:40])]


def _main() -> None:
    way_out = WayOut()
    if len(sys.argv) == 1:
        return
    program, *arguments = sys.argv[1:]
    names: dict[str, Any] = {"__name__": "isolated_program"}
    exec(compile(Path(program).read_text(), program, "exec"), names)
    result = names["main"](arguments)
    print(json.dumps({**result, "packets": way_out.destinations()}))


if __name__ == "__main__":
    _main()
