"""Execution of a turn in steps, which are the same in every run.

Failure rule: an error ends the turn with its reason, and the work so far is delivered if possible.
If the process dies, the next run gets the results of completed steps and continues with the next.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from docstead.agent.agent_loop import AgentLoop
from docstead.agent.delivery_steps import DeliverySteps
from docstead.agent.step_outcomes import OpenOutcome, RetryAt, WorkspaceReady
from docstead.agent.summaries import SUMMARY_KEY, TurnSummarizer
from docstead.agent.turn_ends import EndReason, TurnCancelled, TurnEnd, TurnFailed
from docstead.agent.turn_progress import TurnProgress
from docstead.agent.turn_steps import TOO_LONG, TurnSteps, numbered
from docstead.agent.turn_workspace import TurnWorkspace
from docstead.agent.values import Turn


class TurnExecution:
    """Runs one turn."""

    def __init__(
        self,
        turn: Turn,
        steps: TurnSteps,
        *,
        turn_workspace: TurnWorkspace,
        summarizer: TurnSummarizer,
        loop: AgentLoop,
        delivery: DeliverySteps,
        window_tokens: int,
    ) -> None:
        self._turn = turn
        self._steps = steps
        self._turn_workspace = turn_workspace
        self._summarizer = summarizer
        self._loop = loop
        self._delivery = delivery
        self._window_tokens = window_tokens

    def carry_out(self) -> TurnEnd:
        """Run the turn without recording its end."""
        progress = TurnProgress(
            "",
            window_tokens=self._window_tokens,
            may_write=not self._turn_workspace.needs_plan,
        )
        opened = self._opened(progress)
        if not isinstance(opened, WorkspaceReady):
            return opened
        progress.tree = opened.tree
        if opened.is_long:
            request = self._loop.request(opened, progress)
            progress.spent += self._steps.run(
                SUMMARY_KEY, partial(self._summarizer.summarize, request)
            )
        while True:
            end = progress.with_assumptions(self._loop.run(opened, progress))
            checked = self._delivery.check(end, progress)
            done = None if checked.go_on else self._delivery.deliver(end, progress, checked)
            if done is not None:
                return done

    def _opened(self, progress: TurnProgress) -> WorkspaceReady | TurnEnd:
        opened = self._steps.run_with_retries(partial(numbered, "open"), self._open, progress)
        if isinstance(opened, RetryAt):
            return TurnFailed(EndReason.SOURCE_FAILED, TOO_LONG)
        return opened

    def _open(self, tries: int) -> OpenOutcome:
        if self._steps.is_cancelled():
            return TurnCancelled()
        opened = self._turn_workspace.open(tries)
        if isinstance(opened, WorkspaceReady):
            return replace(opened, is_long=self._summarizer.is_due(self._turn))
        return opened
