"""Budget of a turn and its use. Checked before each call of the model."""

from __future__ import annotations

from dataclasses import dataclass

from docstead.agent.values import EndReason

# From here on a call is the last one: it is told to wrap up, and has the rest for it.
_NEARLY = 0.9


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """The most that one turn may spend."""

    steps: int = 60  # calls of the model
    tokens: int = 2_000_000  # in and out, together
    cost: float = 5.0  # in the currency of the configured prices
    seconds: float = 3_600.0  # of work; time that a process was down does not count
    waiting_seconds: float = 3_600.0  # for a model that is busy
    answer_seconds: float = 3_600.0  # for a question to the user
    context_tokens: int = 100_000  # of one conversation, older results are shortened beyond


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
        """The limit that leaves no room for another call."""
        return self._first(limits, 1.0, ahead=0)

    def nearly_exhausted(self, limits: TurnLimits) -> EndReason | None:
        """The limit for whose sake the next call is the last."""
        return self._first(limits, _NEARLY, ahead=1)

    def explained(self, reason: EndReason, limits: TurnLimits) -> str:
        """Say which limit ended the turn, and the setting that raises it."""
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
