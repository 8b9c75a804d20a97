"""Answers whose sentences a second scripted model judges, each behind a real server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chat_server import ChatServer, Reply, Rule, chat_server, held
from docstead.accounts.tenancy import Deployment
from docstead.analytics.conversations import ConversationReports
from docstead.assistant.answer_task import AnswerOptions
from docstead.assistant.answer_trace import CheckOutcome, TraceCheck
from docstead.assistant.answering import ModelAnswerer
from docstead.assistant.checking.judgments import JudgeLimits
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.engine import Assistant
from docstead.assistant.events import AnswerData, AnswerFinished, Event, TextDelta
from docstead.assistant.writing.answer_writer import SentencePolicy
from docstead.models.chat import ModelUsage
from docstead.models.openai_compatible import OpenAICompatible

KEYS = "How do I create an API key?"
CREATE = "https://parcelo.example.com/guides/keys#create-a-key"
QUOTED = "Copy the key."
#: The rules find that it contradicts the passage.
DENIED = "Revoking can be undone."
FALSE = "Treat it like a public name and hand it to everybody."
TRUE = "Treat it like a password and hand it to nobody."
DOUBTED = Rule("Sentence: .*everybody", Reply("contradicted [1]"))
SUPPORTED = Rule("Sentence: ", Reply("supported"))
NOTE = {"sentence": FALSE, "title": "API keys › Create a key", "url": CREATE}
#: Every judgment is in time, however slow the machine is.
PATIENT = JudgeLimits(wait_seconds=120, judgment_seconds=120)
#: No judgment is in time, and each is waited for at the end.
LATE = JudgeLimits(wait_seconds=0, judgment_seconds=120, closing_seconds=120)

Observe = Callable[[Event], None]


class CountedBudget:
    """A budget that counts."""

    def __init__(self) -> None:
        self.usages: list[ModelUsage] = []

    def admit(self) -> None: ...

    def record(self, usage: ModelUsage) -> None:
        self.usages.append(usage)


class AssessedAnswer:
    """The events of an answer, and its checks as maintainers find them."""

    def __init__(self, events: list[Event], checks: tuple[TraceCheck, ...]) -> None:
        self.events = events
        self.checks = checks

    @property
    def text(self) -> str:
        return "".join(each.text for each in self.events if isinstance(each, TextDelta))

    def notes(self, name: str) -> list[Any]:
        return [e.value for e in self.events if isinstance(e, AnswerData) and e.name == name]

    @property
    def outcomes(self) -> dict[str, CheckOutcome]:
        return {each.sentence: each.outcome for each in self.checks}


@pytest.fixture
def judge_server() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.rules = [DOUBTED, SUPPORTED]
        yield server


@pytest.fixture
def ask(
    backend: Any,
    make_assistant: Callable[..., Assistant[Deployment]],
    deployment: Deployment,
    model_server: ChatServer,
    judge_server: ChatServer,
) -> Callable[..., AssessedAnswer]:
    """Asks a model with a judge; `observe` is called with each event."""

    async def asked(observe: Observe, limits: JudgeLimits, **options: Any) -> AssessedAnswer:
        model = OpenAICompatible(model_server.url, "key", "tiny")
        judge = OpenAICompatible(judge_server.url, "key", "judge")
        answerer = ModelAnswerer(model, judge=judge, judge_limits=limits, **options)
        assistant = make_assistant(answerer=answerer)
        events = []
        try:
            question = Question((ConversationMessage(Speaker.USER, KEYS),))
            async for event in assistant.answer(deployment, question):
                events.append(event)
                observe(event)
        finally:
            await model.close()
            await judge.close()
        thread_id = events[0].thread_id
        exchange = (
            ConversationReports(backend.database).opened([deployment.id], thread_id).exchanges[-1]
        )
        return AssessedAnswer(events, exchange.trace.checks)

    def ask(
        limits: JudgeLimits | None = None, observe: Observe = lambda _: None, **options: Any
    ) -> AssessedAnswer:
        return asyncio.run(asked(observe, limits or JudgeLimits(), **options))

    return ask


Ask = Callable[..., AssessedAnswer]


class TestJudgmentsInTime:
    def test_a_contradicted_sentence_is_left_out(self, ask: Ask, model_server: ChatServer) -> None:
        model_server.pieces = [f"{QUOTED} {FALSE} {TRUE}"]
        answer = ask(PATIENT)
        assert FALSE not in answer.text
        assert answer.text.endswith(TRUE)
        assert answer.notes("contradicted") == []
        assert answer.outcomes[FALSE] is CheckOutcome.DROPPED
        assert answer.notes("checks") == [{"supported": 1, "unsupported": 1}]
        [reason] = [each.reason for each in answer.checks if each.sentence == FALSE]
        assert "API keys › Create a key" in reason

    def test_it_is_marked_where_the_settings_say_so(
        self, ask: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = [f"{QUOTED} {FALSE}"]
        answer = ask(PATIENT, options=AnswerOptions(policy=SentencePolicy.FLAG))
        assert f"{FALSE} *(not confirmed by the documentation)*" in answer.text

    def test_rows_of_a_table_are_assessed_together(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        both = threading.Barrier(2)

        def verdict(said: Any) -> Reply:
            both.wait(120)
            return Reply("contradicted" if "everybody" in said.last.text else "unclear")

        judge_server.rules = [Rule("", verdict)]
        rows = ["| The key | for you |", "| Its name | for everybody |"]
        model_server.pieces = ["\n".join(["| What | Whom |", "| --- | --- |", *rows, ""])]
        answer = ask(PATIENT)
        assert rows[0] in answer.text
        assert "everybody" not in answer.text

    def test_quotes_and_what_the_rules_leave_out_cost_no_request(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        model_server.pieces = [f"Sure! {QUOTED} Keys last 37 days."]
        ask(PATIENT)
        assert judge_server.requests == []

    def test_the_judge_gets_the_passages_before_the_sentence(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        model_server.pieces = [TRUE]
        ask(PATIENT)
        [request] = judge_server.conversations
        assert "[1] API keys › Create a key\n" in request.question
        assert request.question.endswith(f"</documentation>\n\nSentence: {TRUE}")

    def test_its_tokens_are_paid_for(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        model_server.pieces = [TRUE]
        judge_server.rules = [Rule("", Reply("supported", usage=(700, 3)))]
        spent = CountedBudget()
        ask(PATIENT, budget=spent)
        assert [each.input_tokens for each in spent.usages if not each.is_estimated] == [700]

    @pytest.mark.parametrize(("longest", "tokens"), [(100_000, 500), (1_000, 300)])
    def test_answers_that_break_off_or_are_cut_are_paid_by_an_estimate(
        self, ask: Ask, model_server: ChatServer, longest: int, tokens: int
    ) -> None:
        model_server.pieces, model_server.breaks_after = ["a" * 400] * 8, 5
        budget, options = CountedBudget(), AnswerOptions(SentencePolicy.OFF, longest=longest)
        ask(PATIENT, budget=budget, options=options)
        (usage,) = budget.usages
        assert (usage.model, usage.output_tokens, usage.is_estimated) == ("tiny", tokens, True)
        assert usage.input_tokens > 100


class TestLateJudgments:
    def test_the_sentence_is_sent_and_marked_before_the_end(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        """The judge answers only once the sentence has been sent."""
        sent = threading.Event()
        judge_server.rules = [Rule("everybody", held(sent, Reply("Contradicted [1]"))), SUPPORTED]
        model_server.pieces = [f"{FALSE} {QUOTED}"]

        def observe(event: Event) -> None:
            if isinstance(event, TextDelta) and FALSE in event.text:
                sent.set()

        answer = ask(JudgeLimits(judgment_seconds=120, closing_seconds=120), observe)
        assert answer.text.startswith(FALSE)
        assert answer.notes("contradicted") == [NOTE]
        assert isinstance(answer.events[-1], AnswerFinished)
        assert answer.outcomes == {
            FALSE: CheckOutcome.CONTRADICTED,
            QUOTED: CheckOutcome.SUPPORTED,
        }
        assert answer.notes("checks") == [{"supported": 1, "unsupported": 1}]
        [check] = [each for each in answer.checks if each.sentence == FALSE]
        assert check.url == CREATE

    def test_what_the_judge_supports_has_no_mark(self, ask: Ask, model_server: ChatServer) -> None:
        model_server.pieces = [f"{TRUE} {QUOTED}"]
        answer = ask(LATE)
        assert TRUE in answer.text
        assert answer.notes("contradicted") == []
        assert answer.outcomes[TRUE] is CheckOutcome.UNCITED

    def test_each_of_two_equal_sentences_is_marked(
        self, ask: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = [f"{FALSE} {FALSE}"]
        answer = ask(LATE)
        assert answer.notes("contradicted") == [NOTE, NOTE]
        assert [each.outcome for each in answer.checks] == [CheckOutcome.CONTRADICTED] * 2


class TestContradictionsByRules:
    """The rules find that a sentence contradicts a passage: the judge decides if it answers."""

    def test_the_sentence_stays_if_the_judge_finds_none(
        self, ask: Ask, model_server: ChatServer
    ) -> None:
        model_server.pieces = [f"{QUOTED} {DENIED}"]
        assert DENIED in ask(PATIENT).text
        answer = ask(LATE)
        assert DENIED in answer.text
        assert answer.notes("contradicted") == []

    def test_it_is_left_out_if_the_judge_fails(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        judge_server.rules = [Rule("", Reply(status=500))]
        model_server.pieces = [f"{QUOTED} {DENIED}"]
        answer = ask(PATIENT)
        assert DENIED not in answer.text
        assert answer.outcomes[DENIED] is CheckOutcome.DROPPED

    def test_it_is_marked_if_the_judge_never_answers(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        judge_server.rules = [Rule("", Reply(hangs=True))]
        model_server.pieces = [f"{QUOTED} {DENIED} {TRUE}"]
        answer = ask(JudgeLimits(wait_seconds=0, closing_seconds=0))
        assert DENIED in answer.text
        assert [each["sentence"] for each in answer.notes("contradicted")] == [DENIED]
        [check] = [each for each in answer.checks if each.sentence == DENIED]
        assert check.outcome is CheckOutcome.CONTRADICTED
        assert "denied there" in check.reason


class TestJudgeFailures:
    """Judges that fail: the rules decide, and the answer is complete."""

    @pytest.mark.parametrize(
        "reply", [Reply(status=500), Reply(status=401), Reply(garbage=b"x\n"), Reply()]
    )
    def test_a_judge_that_fails_is_asked_once(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer, reply: Reply
    ) -> None:
        judge_server.rules = [Rule("", reply)]
        model_server.pieces = [f"{FALSE} {TRUE} {QUOTED}"]
        answer = ask(PATIENT)
        assert answer.text.startswith(f"{FALSE} {TRUE} {QUOTED}")
        assert isinstance(answer.events[-1], AnswerFinished)
        assert len(judge_server.requests) == 1

    @pytest.mark.parametrize(
        "limits",
        [
            JudgeLimits(wait_seconds=0, closing_seconds=0),
            JudgeLimits(wait_seconds=120, judgment_seconds=0),
        ],
    )
    def test_a_judge_that_never_answers_holds_nothing_back(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer, limits: JudgeLimits
    ) -> None:
        judge_server.rules = [Rule("", Reply(hangs=True))]
        model_server.pieces = [f"{FALSE} {TRUE} {QUOTED}"]
        answer = ask(limits)
        assert answer.text.startswith(f"{FALSE} {TRUE} {QUOTED}")
        assert answer.notes("contradicted") == []
        assert isinstance(answer.events[-1], AnswerFinished)

    def test_words_of_another_form_contradict_nothing(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        judge_server.rules = [Rule("", Reply("The passage is not contradicted by this."))]
        model_server.pieces = [FALSE]
        assert ask(PATIENT).text.startswith(FALSE)

    def test_more_sentences_than_the_limit_are_not_assessed(
        self, ask: Ask, model_server: ChatServer, judge_server: ChatServer
    ) -> None:
        model_server.pieces = [" ".join([TRUE] * 5)]
        ask(JudgeLimits(wait_seconds=120, judgment_seconds=120, most=3))
        assert len(judge_server.requests) == 3
