"""Messages to the model when a conversation becomes long, or a turn was interrupted."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from docstead.agent.conversation import complete, fitted, message_json, message_of
from docstead.agent.loop_detection import LoopDetector
from docstead.models.chat import ChatMessage, ChatRole, ModelReasoning, ProviderMessage, ToolCall

LONG = "x" * 9_000


def used(number: int, result: str = LONG, text: str = "short") -> list[ChatMessage]:
    """A call and its result."""
    arguments = json.dumps({"path": f"{number}.mdx", "text": text})
    call = ToolCall(f"c{number}", "write_file", arguments)
    return [
        ChatMessage(ChatRole.ASSISTANT, tool_calls=(call,)),
        ChatMessage(ChatRole.TOOL, result, tool_call_id=call.id),
    ]


def conversation(count: int, **more: str) -> list[ChatMessage]:
    return [
        ChatMessage(ChatRole.USER, "Do it"),
        *(m for n in range(count) for m in used(n, **more)),
    ]


def size(messages: list[ChatMessage]) -> int:
    return sum(len(m.text) + sum(len(c.arguments) for c in m.tool_calls) for m in messages)


def test_what_fits_is_left_unchanged() -> None:
    messages = conversation(3)
    assert fitted(messages, 100_000) == messages


def test_old_results_are_shortened_first_and_say_so() -> None:
    messages = conversation(20)
    shown = fitted(messages, 40_000)
    assert size(shown) <= 40_000 * 3
    results = [m.text for m in shown if m.role is ChatRole.TOOL]
    assert "left out" in results[0]
    assert results[-6:] == [LONG] * 6
    assert shown[0] == messages[0]
    assert [m.tool_calls for m in shown] == [m.tool_calls for m in messages]


def test_what_old_calls_wrote_is_shortened_next_and_stays_json() -> None:
    shown = fitted(conversation(20, result="ok", text=LONG), 30_000)
    assert size(shown) <= 30_000 * 3
    first = shown[1].tool_calls[0].values()
    assert first["path"] == "0.mdx"
    assert first["text"].endswith("[left out]")
    assert shown[-2].tool_calls[0].values()["text"] == LONG


def test_after_shortening_there_is_space_for_several_calls() -> None:
    shown = fitted(conversation(20), 40_000)
    assert size(shown) <= 0.6 * 40_000 * 3


def test_what_was_shortened_stays_as_it_is() -> None:
    shown = fitted(conversation(20), 40_000)
    assert fitted(shown, 40_000) == shown
    shorter = fitted(shown, 5_000)
    short = [before for before in shown if "were left out" in before.text]
    assert short
    assert all(message in shorter for message in short)


@given(st.integers(0, 30), st.integers(1_000, 60_000))
def test_every_call_keeps_its_result(count: int, window: int) -> None:
    messages = conversation(count)
    shown = fitted(messages, window)
    assert [(m.role, m.tool_call_id) for m in shown] == [(m.role, m.tool_call_id) for m in messages]
    assert size(shown) <= size(messages)


def test_calls_without_a_result_get_one() -> None:
    broken = [*conversation(2)[:-1], ChatMessage(ChatRole.USER, "Go on")]
    whole = complete(broken)
    assert [m.role.value for m in whole] == [
        "user", "assistant", "tool", "assistant", "tool", "user",
    ]  # fmt: skip
    assert whole[4].tool_call_id == "c1"
    assert "not done" in whole[4].text


def test_ids_that_are_used_again_are_distinguished() -> None:
    broken = [*used(0), *used(0)[:1], ChatMessage(ChatRole.USER, "Go on"), *used(0)]
    roles = [m.role.value for m in complete(broken)]
    assert roles == ["assistant", "tool", "assistant", "tool", "user", "assistant", "tool"]


def test_messages_are_kept_as_they_are() -> None:
    message = ChatMessage(
        ChatRole.ASSISTANT,
        "Text \u2028 and \U0001f600",
        tool_calls=(ToolCall("a", "read_file", '{"path": "x"}'),),
        reasoning=(ModelReasoning("because", "signed"),),
        original=ProviderMessage("large", [{"type": "thinking", "thinking": "because"}]),
    )
    assert message_of(json.loads(json.dumps(message_json(message)))) == message


def test_circles_are_noticed_and_progress_is_not() -> None:
    def call(name: str) -> ToolCall:
        return ToolCall("x", name, "{}")

    same, pair, three, four, moving = (LoopDetector() for _ in range(5))
    assert [same.is_stuck([(call("a"), "r")]) for _ in range(5)] == [False] * 4 + [True]
    found = [pair.is_stuck([(call(name), "r")]) for name in "ab" * 5]
    assert found == [False] * 9 + [True]
    found = [three.is_stuck([(call(name), "r")]) for name in "abc" * 5]
    assert found == [False] * 14 + [True]
    assert not any(four.is_stuck([(call(name), "r")]) for name in "abcd" * 8)
    assert not any(moving.is_stuck([(call("a"), str(number))]) for number in range(30))


def test_the_same_calls_in_one_answer_are_no_circle() -> None:
    call = ToolCall("x", "list_files", "{}")
    assert not LoopDetector().is_stuck([(call, "r")] * 20)


def test_results_that_the_model_has_not_seen_are_never_shortened() -> None:
    calls = tuple(ToolCall(f"n{number}", "read_file", "{}") for number in range(8))
    fresh = [ChatMessage(ChatRole.TOOL, LONG, tool_call_id=call.id) for call in calls]
    messages = [*conversation(20), ChatMessage(ChatRole.ASSISTANT, tool_calls=calls), *fresh]
    shown = fitted(messages, 40_000)
    assert [m.text for m in shown[-8:]] == [LONG] * 8
    less = fitted(messages, 10_000)
    assert size(less) <= 10_000 * 3
    whole = [m.text == LONG for m in less[-8:]]
    assert whole == sorted(whole, reverse=True)
    assert any(whole)
    assert all("is not shown" in m.text for m in less[-8:] if m.text != LONG)
    assert fitted(less, 10_000) == less


def test_the_end_of_untrusted_text_stays_when_it_is_shortened() -> None:
    result = f"<<DATA-1 result of read_file\n{LONG}\nDATA-1>>"
    shown = fitted(conversation(20, result=result), 40_000)
    results = [m.text for m in shown if m.role is ChatRole.TOOL]
    assert results
    assert all(text.endswith("\nDATA-1>>") for text in results)


def test_long_prompts_of_earlier_turns_are_shortened_too() -> None:
    messages = [
        message
        for number in range(4)
        for message in (
            ChatMessage(ChatRole.USER, f"{number} {'word ' * 9_800}"),
            ChatMessage(ChatRole.ASSISTANT, "Done."),
        )
    ]
    shown = fitted([*messages, ChatMessage(ChatRole.USER, "Short.")], 24_000)
    assert size(shown) <= 24_000 * 3
    assert shown[-1].text == "Short."
    assert "left out" in shown[0].text
