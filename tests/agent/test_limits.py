"""Limits of a turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_harness import AgentHarness, agent_harness
from chat_server import Call, Reply, Rule, chat_server
from docstead.agent.limits import TurnLimits, TurnUsage
from docstead.agent.model_usage import counted
from docstead.agent.states import JobStatus
from docstead.agent.turn_ends import EndReason
from docstead.models.chat import ModelUsage

PAGE = '---\ntitle: "Plans"\ndescription: "All plans."\n---\n\nThere are two.\n'
LIMITS = TurnLimits(steps=10, tokens=1_000, cost=1.0, seconds=100)


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Callable[..., AgentHarness]]:
    """A harness with settings of its own."""
    with ExitStack() as stack:
        chat = stack.enter_context(chat_server())
        yield lambda **settings: stack.enter_context(
            agent_harness(tmp_path, chat, checks_here=True, **settings)
        )


@pytest.mark.parametrize("provider", ["openai", pytest.param("anthropic", marks=pytest.mark.deep)])
def test_input_from_the_cache_has_its_own_price_and_blank_answers_are_paid(
    limited, provider: str
) -> None:
    def models(url: str) -> dict[str, Any]:
        base = url if provider == "openai" else url.removesuffix("/v1")
        prices = {"input_price": 10.0, "output_price": 20.0, "cached_price": 1.0}
        return {"m": {"provider": provider, "base_url": base, "model": "scripted", **prices}}

    harness = limited(agent_models=("m",), models=models)
    harness.says(
        Reply(" \n", usage=(600, 6)),
        Reply(usage=(400, 4)),  # not even a blank
        Reply("Nothing had to change.", usage=(100_000, 100), cached=90_000),
    )
    job = harness.run("Look at the guides")
    turn = harness.last_turn(job)
    assert (turn.input_tokens, turn.cached_tokens, turn.output_tokens) == (101_000, 90_000, 110)
    assert turn.cost == pytest.approx((11_000 * 10 + 90_000 * 1 + 110 * 20) / 1_000_000)
    assert [e.data["inputTokens"] for e in harness.events(job, "modelFailed")] == [600, 400]
    (event,) = harness.events(job, "model")
    assert (event.data["inputTokens"], event.data["cachedTokens"]) == (100_000, 90_000)
    (ended,) = harness.events(job, "turn.ended")
    assert (ended.data["cachedTokens"], ended.data["cost"]) == (90_000, turn.cost)
    summary = harness.agent.summaries([job])[job.id]
    assert (summary.tokens, summary.cost) == (101_110, turn.cost)


ASK = Call("ask_user", {"question": "Which plan?", "assumption": "It is for the free plan."})
PLAN = Call("propose_plan", {"plan": "Add `guides/plans.mdx`."})
WRITE = Call("write_file", {"path": "guides/plans.mdx", "text": PAGE})
FINISH = Call("finish", {"title": "Describe plans", "summary": "There is a page on plans."})


def test_without_an_answer_the_agent_goes_on_with_its_assumption(limited) -> None:
    harness = limited(agent_answer_seconds=1)
    harness.says(Reply(calls=(ASK,)), Reply(calls=(WRITE,)), Reply(calls=(FINISH,)))
    job = harness.run("Describe the plans", may_ask=True)
    assert job.status is JobStatus.COMPLETED
    assert job.question is None
    said = harness.chat.conversations[1].last.text
    assert "Nobody answered in time" in said
    assert "It is for the free plan." in said
    assumed = "Nobody answered in time, so the agent continued with:\n\n- It is for the free plan."
    assert harness.last_turn(job).end.reply == f"There is a page on plans.\n\n{assumed}"
    assert "It is for the free plan." in harness.review(job).body
    (event,) = harness.events(job, "unanswered")
    assert event.data["assumption"] == "It is for the free plan."


def test_a_plan_that_nobody_answers_is_carried_out_and_the_summary_says_so(limited) -> None:
    harness = limited(agent_answer_seconds=1)
    harness.says(Reply(calls=(PLAN,)), Reply(calls=(WRITE,)), Reply(calls=(FINISH,)))
    job = harness.run("Describe the plans", needs_plan=True)
    assert job.status is JobStatus.COMPLETED
    assert harness.file(job.branch, "guides/plans.mdx")
    assert harness.last_turn(job).end.reply.endswith("- The plan as proposed, without approval.")


def write(number: int, usage: tuple[int, int] = (0, 0)) -> Reply:
    call = Call("write_file", {"path": f"snippets/page-{number}.mdx", "text": "# New\n"})
    return Reply(calls=(call,), usage=usage)


def test_the_last_call_is_asked_to_wrap_up(limited) -> None:
    harness = limited(agent_max_steps=3)
    numbers = iter(range(100))
    harness.chat.rules = [
        Rule("last message of the turn", Reply("Two pages are there, the third is not.")),
        Rule(lambda _: True, lambda _: write(next(numbers))),
    ]
    job = harness.run("Write many pages")
    turn = harness.last_turn(job)
    assert (turn.end.reason, turn.steps) == (EndReason.STEP_LIMIT, 3)
    assert turn.end.reply == "Two pages are there, the third is not."
    assert job.status is JobStatus.FAILED
    assert "3 calls of the model of 3 (DOCSTEAD_AGENT_MAX_STEPS)" in turn.end.error
    assert job.pr_link == harness.change(job).url
    assert harness.change(job).draft
    assert "step_limit" in harness.review(job).body
    assert harness.chat.conversations[-1].tool_choice == "none"
    harness.chat.rules = [Rule(lambda _: True, Reply("The rest is done."))]
    harness.follow_up(job, "Go on")
    assert harness.ended(job).status is JobStatus.COMPLETED


@pytest.mark.parametrize(
    ("settings", "second", "reason"),
    [
        ({"agent_max_tokens": 1_000}, (850, 0), EndReason.TOKEN_LIMIT),
        (
            {
                "agent_max_cost": 0.001,
                "agent_models": ("priced",),
            },
            (450, 0),
            EndReason.COST_LIMIT,
        ),
    ],
)
def test_no_call_is_made_beyond_a_limit(
    limited, settings: dict[str, Any], second: tuple[int, int], reason
) -> None:
    harness = limited(
        **settings,
        models=lambda url: {
            "priced": {
                "base_url": url,
                "model": "scripted",
                "input_price": 1.0,
                "output_price": 1.0,
            }
        },
    )
    harness.says(write(1, (400, 100)), write(2, second), Reply("Enough."), Reply("Too much."))
    turn = harness.last_turn(harness.run("Write"))
    assert (turn.end.reason, turn.steps) == (reason, 3)
    assert len(harness.chat.conversations) == 3


def test_calls_of_one_answer_end_at_the_time_limit(
    limited, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer with thousands of calls worked for hours."""
    harness = limited(agent_max_seconds=150)
    clock = SimpleNamespace(monotonic=partial(next, count(0, 100)), time=time.time)
    monkeypatch.setattr("docstead.agent.tool_calls.time", clock)
    harness.says(Reply(calls=tuple(write(number).calls[0] for number in range(5))))
    job = harness.run("Write")
    assert harness.last_turn(job).end.reason is EndReason.TIME_LIMIT
    assert len(harness.events(job, "tool")) == 2


@pytest.mark.deep
def test_a_turn_of_many_calls_counts_a_repeated_conversation_once(limited) -> None:
    harness = limited(agent_max_tokens=15_000)
    replies = [write(number, (1_000 * number, 100)) for number in range(1, 8)]
    harness.says(*replies, Reply("Done.", usage=(8_000, 10)))
    turn = harness.last_turn(harness.run("Write"))  # 36,710 tokens, of which 8,000 are new
    assert (turn.end.reason, turn.steps) == (EndReason.FINISHED, 8)


def test_input_that_the_provider_or_the_last_call_had_counts_a_tenth() -> None:
    usage = ModelUsage(input_tokens=1_000, output_tokens=10, cached_tokens=500)
    assert counted(usage) == 560
    assert counted(usage, repeated_tokens=400) == 560
    assert counted(usage, repeated_tokens=900) == 200
    assert counted(usage, repeated_tokens=2_000) == 110


@given(st.integers(0, 20), st.integers(0, 2_000), st.floats(0, 2), st.floats(0, 200))
def test_a_call_is_the_last_one_before_there_is_none(steps, tokens, cost, seconds) -> None:
    spent = TurnUsage(steps, tokens, cost, seconds)
    exhausted = (
        steps >= LIMITS.steps
        or tokens >= LIMITS.tokens
        or cost >= LIMITS.cost
        or seconds >= LIMITS.seconds
    )
    assert (spent.exhausted(LIMITS) is not None) is exhausted
    if exhausted or steps == LIMITS.steps - 1:
        assert spent.nearly_exhausted(LIMITS) is not None


def test_a_model_that_does_not_answer_in_time_is_asked_again(limited) -> None:
    def models(url: str) -> dict[str, dict[str, Any]]:
        entry = {"base_url": url, "model": "scripted", "first_seconds": 1.0, "silence_seconds": 1.0}
        return {"impatient": entry}

    harness = limited(models=models, agent_models=("impatient",))
    harness.says(write(1), Reply(hangs=True), Reply("Done."))
    job = harness.run("Write")
    assert job.status is JobStatus.COMPLETED
    assert harness.last_turn(job).end.reason is EndReason.FINISHED
    assert "in time" in harness.events(job, "wait")[0].data["reason"]


def test_the_job_names_the_model_that_did_the_work(limited) -> None:
    def models(url: str) -> dict[str, dict[str, Any]]:
        away = {"base_url": "http://127.0.0.1:9/v1", "model": "first"}
        return {"away": away, "here": {"base_url": url, "model": "second"}}

    harness = limited(models=models, agent_models=("away", "here"))
    harness.says(write(1, (400, 100)), Reply("Done."))
    assert harness.run("Write").model == "second"
