"""Tools for questions and plans, in jobs whose creators enabled them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from docstead.agent.tools.result import ToolResult, UserQuestion
from docstead.agent.tools.tool import AgentTool, ToolArguments

PLAN = "plan"
APPROVE = "Approve"
_OPTION = Annotated[str, Field(min_length=1, max_length=200)]
_UNAPPROVED = "The plan as proposed, without approval."
_SENT = "Sent to the user. The next message is the answer, or says that there is none."


class QuestionArguments(ToolArguments):
    question: str = Field(
        min_length=1, max_length=2_000, description="One question, with what depends on it."
    )
    options: list[_OPTION] = Field(
        default_factory=list, max_length=6, description="Answers to choose from, if there are some."
    )
    assumption: str = Field(
        min_length=1,
        max_length=500,
        description="What you assume if nobody answers in time, as a sentence.",
    )


class PlanArguments(ToolArguments):
    plan: str = Field(
        min_length=1,
        max_length=5_000,
        description="The files that you want to change, and how, for the user. Markdown.",
    )


class UserDialog:
    """Tools that wait for the user."""

    def __init__(self, *, may_ask: bool, needs_plan: bool) -> None:
        self._may_ask = may_ask
        self._needs_plan = needs_plan

    def tools(self) -> tuple[AgentTool, ...]:
        asks = AgentTool(
            "ask_user",
            "Ask the user a question that the repository does not answer and that decides what "
            "you write. Ask one question at a time, and only what you cannot find out.",
            QuestionArguments,
            self.ask,
        )
        plans = AgentTool(
            "propose_plan",
            "Propose what you want to change, before you change a file.",
            PlanArguments,
            self.propose,
        )
        return (*((asks,) if self._may_ask else ()), *((plans,) if self._needs_plan else ()))

    def ask(self, asked: QuestionArguments) -> ToolResult:
        question = UserQuestion("question", asked.question, tuple(asked.options), asked.assumption)
        return ToolResult(_SENT, question=question)

    def propose(self, asked: PlanArguments) -> ToolResult:
        question = UserQuestion(PLAN, asked.plan, (APPROVE,), _UNAPPROVED)
        return ToolResult(_SENT, question=question)
