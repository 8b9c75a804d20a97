"""Former names of classes whose instances are stored.

The job library pickles the results of steps, and pickle finds a class by its module and its name.
So a class that was moved or renamed is also found under its former name.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_PACKAGE = "docstead.agent."
# Former and current name, both below the package.
FORMER_NAMES = {
    "desk.Opened": "turn_workspace.OpenedWorkspace",
    "handing_in.Checked": "delivery.CheckResult",
    "handing_in.Committed": "delivery.CommitResult",
    "handing_in.Offered": "delivery.PullRequestResult",
    "handing_in.PushedWork": "delivery.PushResult",
    "limits.Spent": "limits.TurnUsage",
    "thinking.Thought": "model_calls.ModelReply",
    "using.Used": "tool_calls.ToolRunResult",
    "webhooks.records.Attempt": "webhooks.records.DeliveryAttempt",
}


def register() -> None:
    """Let pickle find classes by their former names."""
    names: dict[str, dict[str, str]] = {}
    for former, current in FORMER_NAMES.items():
        module, _, name = former.rpartition(".")
        names.setdefault(module, {})[name] = current
    for module, classes in names.items():
        _add_names(_module(f"{_PACKAGE}{module}"), classes)


def _module(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return sys.modules.setdefault(name, ModuleType(name))


def _add_names(module: ModuleType, classes: dict[str, str]) -> None:
    """Let a module look classes up where they are now."""

    def find(former: str) -> Any:
        if former not in classes:
            raise AttributeError(f"module {module.__name__!r} has no attribute {former!r}")
        home, _, current = classes[former].rpartition(".")
        return getattr(import_module(f"{_PACKAGE}{home}"), current)

    module.__dict__["__getattr__"] = find
