"""Former names of classes whose instances are stored.

The job library pickles step results, and pickle finds classes by module and name. Moved or renamed
classes are therefore registered under their former names.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_FORMER_PACKAGE = "docstead.agent."
# Former name in that package, and current name in `docstead`.
FORMER_NAMES = {
    "delivery.CommitResult": "agent.former_results.CommitResult",
    "delivery.PullRequestResult": "agent.former_results.PullRequestResult",
    "delivery.PushResult": "agent.former_results.PushResult",
    "desk.Opened": "agent.former_results.OpenedWorkspace",
    "handing_in.Checked": "agent.delivery.CheckResult",
    "handing_in.Committed": "agent.former_results.CommitResult",
    "handing_in.Offered": "agent.former_results.PullRequestResult",
    "handing_in.PushedWork": "agent.former_results.PushResult",
    "limits.Spent": "agent.limits.TurnUsage",
    "model_calls.ModelReply": "agent.former_results.ModelReply",
    "thinking.Thought": "agent.former_results.ModelReply",
    "tool_calls.ToolRunResult": "agent.former_results.ToolRunResult",
    "turn_workspace.OpenedWorkspace": "agent.former_results.OpenedWorkspace",
    "using.Used": "agent.former_results.ToolRunResult",
    "values.EndReason": "agent.turn_ends.EndReason",
    "values.TurnEnd": "agent.former_results.TurnEnd",
    "webhooks.records.Attempt": "webhooks.records.DeliveryAttempt",
    "webhooks.records.DeliveryAttempt": "webhooks.records.DeliveryAttempt",
}


def register() -> None:
    """Register the former names for pickle."""
    names: dict[str, dict[str, str]] = {}
    for former, current in FORMER_NAMES.items():
        module, _, name = former.rpartition(".")
        names.setdefault(module, {})[name] = current
    for module, classes in names.items():
        _add_names(_module(f"{_FORMER_PACKAGE}{module}"), classes)


def _module(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return sys.modules.setdefault(name, ModuleType(name))


def _add_names(module: ModuleType, classes: dict[str, str]) -> None:
    """Let a module resolve former class names to current classes."""

    def find(former: str) -> Any:
        if former not in classes:
            raise AttributeError(f"module {module.__name__!r} has no attribute {former!r}")
        home, _, current = classes[former].rpartition(".")
        return getattr(import_module(f"docstead.{home}"), current)

    module.__dict__["__getattr__"] = find
