"""Budget of a turn and its usage, checked before each model call."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.agent.turn_ends import EndReason

# above this usage, the next call is the last and is asked to wrap up
_NEARLY = 0.9


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """Limits of one turn."""

    steps: int = 60  # model calls
    tokens: int = 2_000_000  # input and output
    cost: float = 5.0  # in the currency of the configured prices
    seconds: float = 3_600.0  # working time, without downtime of the process
    waiting_seconds: float = 3_600.0  # total wait for an overloaded model
    answer_seconds: float = 3_600.0  # wait for an answer of the user
    context_tokens: int = 100_000  # of the conversation; older results are shortened beyond


@dataclass(frozen=True, slots=True)
class TurnUsage:
    """Used part of a turn's budget."""

    steps: int = 0
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: TurnUsage) -> TurnUsage:
        return TurnUsage(
            self.steps + other.steps,
            self.tokens + other.tokens,
            self.cost + other.cost,
            self.seconds + other.seconds,
        )

    def exhausted(self, limits: TurnLimits) -> EndReason | None:
        """Return the limit that does not allow another call, or None."""
        return self._first(limits, 1.0, ahead=0)

    def nearly_exhausted(self, limits: TurnLimits) -> EndReason | None:
        """Return the limit that makes the next call the last, or None."""
        return self._first(limits, _NEARLY, ahead=1)

    def explained(self, reason: EndReason, limits: TurnLimits) -> str:
        """Explain which limit ended the turn, and which setting raises it."""
        spent, limit, setting = {
            EndReason.STEP_LIMIT: (f"{self.steps} calls of the model", limits.steps, "STEPS"),
            EndReason.TOKEN_LIMIT: (f"{self.tokens:,} tokens", limits.tokens, "TOKENS"),
            EndReason.COST_LIMIT: (f"a cost of {self.cost:.2f}", limits.cost, "COST"),
            EndReason.TIME_LIMIT: (f"{self.seconds:.0f} seconds", limits.seconds, "SECONDS"),
        }[reason]
        return f"the turn used {spent} of {limit:,} (DOCSTEAD_AGENT_MAX_{setting})"

    def _first(self, limits: TurnLimits, share: float, ahead: int) -> EndReason | None:
        if self.steps + ahead >= limits.steps:
            return EndReason.STEP_LIMIT
        if self.tokens >= share * limits.tokens:
            return EndReason.TOKEN_LIMIT
        if self.cost >= share * limits.cost:
            return EndReason.COST_LIMIT
        if self.seconds >= share * limits.seconds:
            return EndReason.TIME_LIMIT
        return None
