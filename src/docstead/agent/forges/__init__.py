"""Forges (repository hosts) behind one protocol."""

from docstead.agent.forges.forge import ChangeState, Forge, ForgeChange, ForgeKind

__all__ = ["ChangeState", "Forge", "ForgeChange", "ForgeKind"]
