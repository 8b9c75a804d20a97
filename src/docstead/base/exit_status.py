"""Exit statuses of child processes in words: negative for a signal, as `subprocess` has them."""

from __future__ import annotations

import signal

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def was_killed(status: int) -> bool:
    """Report whether another process or the kernel ended it, and not an error of its own."""
    return -status in _FROM_OUTSIDE


def killed(name: str, status: int | None = None) -> str:
    """Return the sentence for a process that was killed, by an unknown signal without a status."""
    how = f" ({exit_name(status)})" if status is not None else ""
    return (
        f"{name} was killed{how}, by an operator or because the machine has too little memory: "
        "try again, or give it more memory"
    )


def exit_name(status: int) -> str:
    """Return the name of a signal, or "status" and its number."""
    if status >= 0:
        return f"status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:  # a signal without a name of its own
        return f"signal {-status}"
