"""Replay of a turn's edits in a new clone, if the previous clone is lost.

Clones are local to a node. If another node continues a turn, or the cache was emptied, the stored
tool calls are repeated. Trees are content-addressed, so the result can be verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docstead.agent.conversation import message_of
from docstead.agent.tools import Toolbox
from docstead.agent.workspace import Workspace
from docstead.base.errors import SourceUnreadable
from docstead.models.chat import ChatRole, ToolCall
from docstead.publishing.git import GitFailed


def has_tree(workspace: Workspace, tree: str) -> bool:
    """Report whether the clone contains this snapshot."""
    try:
        workspace.store.git.run("cat-file", "-e", tree)
    except GitFailed:
        return False
    return True


def replay(
    workspace: Workspace, toolbox: Toolbox, messages: Iterable[Mapping[str, Any]], tree: str
) -> None:
    """Repeat the calls of these messages until a new clone shows the snapshot `tree`.

    Raises:
        SourceUnreadable: the repository differs from the one in which the edits were made.
    """
    at = workspace.snapshot()
    calls: dict[str, ToolCall] = {}
    for kept in messages:
        message = message_of(kept)
        calls |= {call.id: call for call in message.tool_calls}
        if at == tree:
            return
        if message.role is ChatRole.TOOL and message.tool_call_id in calls:
            call = calls[message.tool_call_id]
            result = toolbox.run(call.name, call.arguments)
            at = workspace.snapshot() if result.changed else at
    if at != tree:
        raise SourceUnreadable(
            "the job's clone is lost, and its edits could not be repeated: "
            "the repository has changed in the meantime"
        )
