"""Sandboxed processes that read repositories.

A builder is forked from a warm parent (`fork_server`), restricts itself to the files of one
deployment before it reads any of them, and returns values that are decoded to declared types. The
service (`host`) sets deadlines and limits, ends builders, and replaces crashed ones.
"""

from __future__ import annotations

from docstead.publishing.builders.forking import (
    CommandForkServer,
    ForkServer,
    OwnProcess,
    WarmParent,
)
from docstead.publishing.builders.host import Builder, BuilderPool, HostCall
from docstead.publishing.builders.idle_builders import IdleBuilders
from docstead.publishing.builders.limits import BuilderLimits
from docstead.publishing.builders.loss import BuilderLost
from docstead.publishing.builders.messages import BuilderFolders
from docstead.publishing.builders.task import BuilderTask, TaskContext

__all__ = [
    "Builder",
    "BuilderFolders",
    "BuilderLimits",
    "BuilderLost",
    "BuilderPool",
    "BuilderTask",
    "CommandForkServer",
    "ForkServer",
    "HostCall",
    "IdleBuilders",
    "OwnProcess",
    "TaskContext",
    "WarmParent",
]
