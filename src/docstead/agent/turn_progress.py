"""Progress of a turn while it is carried out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from docstead.agent.limits import TurnUsage
from docstead.agent.turn_ends import TurnEnd, TurnFinished

CHECKS = 3  # after the last one the work is delivered as a draft
_UNANSWERED = "Nobody answered in time, so the agent continued with:"
_JOINS = 2  # requests to the model to resolve conflicts with others


@dataclass
class TurnProgress:
    """Progress of a turn, derived from the results of its steps only."""

    tree: str
    model_calls: int = 0
    tries: int = 0
    empty: int = 0
    malformed: int = 0
    cut: int = 0
    checks: int = 0  # in total
    argued: int = 0  # since the last merge of other commits
    joins: int = 0
    waits: int = 0
    waited_seconds: float = 0.0
    has_used_tools: bool = False
    window_tokens: int = 0
    questions: int = 0
    assumptions: list[str] = field(default_factory=list)  # assumptions about unanswered questions
    may_write: bool = True
    spent: TurnUsage = field(default_factory=TurnUsage)

    @property
    def was_joined_enough(self) -> bool:
        """Whether the model is not asked again to go along with others."""
        return self.joins >= _JOINS

    def begin_round(self, *, has_work: bool) -> None:
        """Count another round. A turn without changes is questioned once and then accepted."""
        self.joins = self.joins + 1 if has_work else _JOINS
        self.argued = 0 if has_work else CHECKS

    def with_assumptions(self, end: TurnEnd) -> TurnEnd:
        """Add assumptions about unanswered questions, in case the model omits them."""
        if not isinstance(end, TurnFinished) or not self.assumptions:
            return end
        items = "\n".join(f"- {assumption}" for assumption in self.assumptions)
        reply = f"{end.reply or ''}\n\n{_UNANSWERED}\n\n{items}".strip()
        return replace(end, reply=reply)
