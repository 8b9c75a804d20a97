"""The places where repositories live, behind one protocol."""

from docstead.agent.forges.forge import Change, ChangeState, Forge, ForgeKind

__all__ = ["Change", "ChangeState", "Forge", "ForgeKind"]
