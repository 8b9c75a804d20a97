"""Attempts to leave the sandbox, each made from inside a confined process.

    python escape_attempts.py worker|FOLDER PARENT_ID SOCKET_NAME SECRET_FILE

Prints one JSON object: for each attempt `null` where it was refused, or what it obtained.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from docstead.base.sandbox import SandboxPaths, confine, own_code
from docstead.rendering.worker import confine_worker

_libc = ctypes.CDLL(None, use_errno=True)
_NUMBERS = {  # x86_64, aarch64
    "clone": (56, 220),
    "clone3": (435, 435),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "mount": (165, 40),
    "unshare": (272, 97),
    "bpf": (321, 280),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "pidfd_open": (434, 434),
    "execveat": (322, 281),
    "openat2": (437, 437),
    "socketpair": (53, 199),
    "rt_sigqueueinfo": (129, 138),
    "tkill": (200, 130),
}
_COLUMN = {"x86_64": 0, "aarch64": 1}[platform.machine()]


def call(name: str, *arguments: object) -> int:
    """Return the result of a system call. Raises `OSError`."""
    passed = (ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    result: int = _libc.syscall(ctypes.c_long(_NUMBERS[name][_COLUMN]), *passed)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def connect(endpoint: object, family: socket.AddressFamily) -> str:
    with socket.socket(family) as made:
        made.connect(endpoint)
        return "connected"


def execute() -> None:
    os.execv("/bin/true", ["true"])


def fork() -> int:
    if not (child := os.fork()):
        os._exit(0)
    return child


def in_memory_program() -> None:
    descriptor = os.memfd_create("program")
    os.write(descriptor, Path("/bin/true").read_bytes())
    os.execv(f"/proc/self/fd/{descriptor}", ["true"])


def through_descriptor(folder: int, name: str) -> str:
    descriptor = os.open(name, os.O_RDONLY, dir_fd=folder)
    return os.read(descriptor, 10).decode()


def in_a_thread(attempt: Callable[[], object]) -> object:
    found: list[object] = []

    def run() -> None:
        try:
            found.append(attempt())
        except OSError as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(found[0], OSError):
        raise found[0]
    return found[0]


def _attempts(parent: int, name: str, secret: Path, folder: int) -> dict[str, Callable[[], object]]:
    return {
        "read-passwd": lambda: Path("/etc/passwd").read_text()[:10],
        "read-secret": secret.read_text,
        "read-in-a-thread": lambda: in_a_thread(secret.read_text),
        "read-through-descriptor": lambda: through_descriptor(folder, secret.name),
        "list-folder": lambda: list(secret.parent.iterdir()),
        "read-environment-of-parent": Path(f"/proc/{parent}/environ").read_bytes,
        "memory-of-parent": Path(f"/proc/{parent}/mem").read_bytes,
        "write": lambda: secret.write_text("changed"),
        "create": lambda: secret.with_name("made").write_text("made"),
        "change-mode": lambda: secret.chmod(0o777),
        "remove": secret.unlink,
        "symbolic-link": lambda: secret.with_name("link").symlink_to("/etc/passwd"),
        "tcp": lambda: connect(("127.0.0.1", 9), socket.AF_INET),
        "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).fileno(),
        "abstract-socket": lambda: connect(f"\0{name}", socket.AF_UNIX),
        "datagram-socket-pair": lambda: call("socketpair", 1, 2, 0, (ctypes.c_int * 2)()),
        "execute": execute,
        "execute-in-memory": in_memory_program,
        "execute-descriptor": lambda: call("execveat", -100, b"/bin/true", None, None, 0),
        "fork": fork,
        "clone": lambda: call("clone", int(signal.SIGCHLD), 0, 0, 0, 0),
        "clone3": lambda: call("clone3", (ctypes.c_ulong * 11)(0, 0, 0, 0, 17), 88),
        "ptrace": lambda: call("ptrace", 16, parent, 0, 0),
        "process-memory": lambda: call("process_vm_readv", parent, None, 0, None, 0, 0),
        "signal": lambda: os.kill(parent, 0),
        "signal-group": lambda: os.kill(0, 0),
        "queued-signal": lambda: call("rt_sigqueueinfo", parent, 0, (ctypes.c_char * 128)()),
        "signal-thread": lambda: call("tkill", parent, 0),
        "handle-of-parent": lambda: call("pidfd_open", parent, 0),
        "mount": lambda: call("mount", b"none", b"/mnt", b"tmpfs", 0, 0),
        "new-user-namespace": lambda: call("unshare", 0x10000000),
        "bpf": lambda: call("bpf", 0, None, 0),
        "keys": lambda: call("keyctl", 0, -1, 0),
        "io-uring": lambda: call("io_uring_setup", 1, (ctypes.c_char * 120)()),
        "user-faults": lambda: call("userfaultfd", 0),
        "performance-events": lambda: call("perf_event_open", None, 0, -1, -1, 0),
        "open-with-structure": lambda: call(
            "openat2", -100, b"/etc/passwd", (ctypes.c_long * 3)(), 24
        ),
    }


def _obtained(attempt: Callable[[], object]) -> str | None:
    try:
        return repr(attempt())
    except OSError as error:
        refused = error.errno in (errno.EPERM, errno.EACCES, errno.ENOSYS)
        return None if refused else f"not refused: {error}"


def main() -> None:
    kind, parent, name, secret = sys.argv[1:]
    folder = os.open(Path(secret).parent, os.O_RDONLY | os.O_DIRECTORY)
    attempts = _attempts(int(parent), name, Path(secret), folder)
    if kind == "worker":
        held = confine_worker()
    else:
        held = confine(SandboxPaths(read=own_code(), write=(Path(kind),)))
        (Path(kind) / "own").write_text("own")
    print(json.dumps({"held": str(held)} | {each: _obtained(attempts[each]) for each in attempts}))


if __name__ == "__main__":
    main()
