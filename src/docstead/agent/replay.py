"""Makes the edits of a turn again in a fresh clone, where the one that had them is gone.

A clone is a folder of one node. When another node goes on with a turn, or the cache was
emptied, the tools are used again as the model had used them; trees are named by their
content, so it is certain whether the result is the same.
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
    """Whether the clone knows this snapshot."""
    try:
        workspace.store.git.run("cat-file", "-e", tree)
    except GitFailed:
        return False
    return True


def replay(
    workspace: Workspace, toolbox: Toolbox, messages: Iterable[Mapping[str, Any]], tree: str
) -> None:
    """Bring a fresh clone to the snapshot `tree` by the calls of these messages.

    Raises:
        SourceUnreadable: the repository is no longer what the edits were made in.
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
            "the job's clone is lost, and its edits could not be made again: "
            "the repository has changed in the meantime"
        )
