"""Answers to the agent's questions.

Failure rule: an accepted message is either the answer to the open question or the next instruction,
decided while the job's row is locked.
"""

from __future__ import annotations

from dataclasses import dataclass

from docstead.agent.conversation import message_json
from docstead.agent.event_log import EventLog
from docstead.agent.prompt import answer_message
from docstead.agent.question_records import QuestionRecords
from docstead.agent.records import AgentRecords
from docstead.agent.tools.dialog_tools import APPROVE, PLAN
from docstead.agent.values import StepRecord, Turn
from docstead.models.chat import ChatMessage, ChatRole


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question with a deadline, in Unix seconds."""

    kind: str
    assumption: str
    until: float


@dataclass(frozen=True, slots=True)
class UserAnswer:
    """Result of a question. `text` is None if it was not answered in time."""

    kind: str
    text: str | None
    assumption: str

    @property
    def lets_write(self) -> bool:
        """Whether files may be changed now: the plan was approved or not answered."""
        is_approved = self.text is None or self.text.strip().casefold() == APPROVE.casefold()
        return self.kind == PLAN and is_approved


class AgentQuestions:
    """Questions of a service's turns."""

    def __init__(
        self, questions: QuestionRecords, records: AgentRecords, event_log: EventLog
    ) -> None:
        self._questions = questions
        self._records = records
        self._event_log = event_log

    def is_over(self, turn: Turn) -> bool:
        """Report whether the open question was answered or the turn cancelled."""
        return self._questions.has_answer(turn.job_id) or self._records.is_cancelled(turn.id)

    def close(self, turn: Turn, number: int, question: OpenQuestion) -> UserAnswer:
        """Close the question and send its answer to the model."""
        text = self._questions.close(turn.job_id)
        answer = UserAnswer(question.kind, text, question.assumption)
        said = answer_message(
            text, question.assumption, is_plan=question.kind == PLAN, is_approved=answer.lets_write
        )
        is_late = text is None and not self._records.is_cancelled(turn.id)
        events = [("unanswered", {"assumption": question.assumption})] if is_late else []
        messages = [message_json(ChatMessage(ChatRole.USER, said))]
        self._event_log.write(
            turn, StepRecord(f"answer {number}", messages=messages, events=events)
        )
        return answer
