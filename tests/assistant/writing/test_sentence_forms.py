"""Forms of sentences: labels, announcements and connectives."""

from __future__ import annotations

import pytest

from docstead.assistant.writing.sentence_forms import needs_no_citation, without_connective


@pytest.mark.parametrize(
    "sentence",
    [
        "**Install the CLI.**",
        "Then run:",
        "**Start the server:**",
        "启动服务器：",
        "Would you like an example of a policy with a constraint?",
        "Steht `foundry` im `PATH`?",
    ],
)
def test_questions_labels_and_announcements_need_no_citation(sentence: str) -> None:
    assert needs_no_citation(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Install the CLI.",
        "**Keys expire 30 days after their creation.**",
        "This opens the app, where you approve the signer:",
        "",
    ],
)
def test_sentences_that_claim_something_need_one(sentence: str) -> None:
    assert not needs_no_citation(sentence)


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("However, you can use `--npx`.", "You can use `--npx`."),
        ("Cependant, vous pouvez utiliser `--npx`.", "Vous pouvez utiliser `--npx`."),
        ("Por lo tanto, la clave es secreta.", "La clave es secreta."),
        ("No entanto, você pode repeti-la.", "Você pode repeti-la."),
        ("因此建议您定期运行。", "建议您定期运行。"),
        ("ただし、実行には鍵が必要です。", "実行には鍵が必要です。"),
        ("However many keys you have, copy them.", "However many keys you have, copy them."),
        ("Allerdings bleibt ein Risiko.", "Allerdings bleibt ein Risiko."),
        ("Allerdings musst du die Kiste öffnen.", "Du musst die Kiste öffnen."),
        ("Darüber hinaus können Sie Kisten stapeln.", "Sie können Kisten stapeln."),
        ("Daher gibt es, wie gesagt, keine Kisten.", "Es gibt, wie gesagt, keine Kisten."),
        ("Daher ist das Limit fünf.", "Daher ist das Limit fünf."),
        ("Deshalb ist Ihr Limit fünf.", "Deshalb ist Ihr Limit fünf."),
        ("However,", "However,"),
    ],
)
def test_a_connective_is_removed_where_the_rest_is_a_sentence(sentence: str, rest: str) -> None:
    assert without_connective(sentence) == rest
