"""Each rule of support by a sentence of its own: without the rule, the result is another."""

from __future__ import annotations

import pytest

from docstead.assistant.checking.checker import Checker
from docstead.assistant.checking.facts import TextFacts, is_number, plain_form
from docstead.assistant.checking.hard_facts import FactSources
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.checking.support import SupportFinding, SupportVerdict, support_of
from docstead.assistant.extractive.evidence import Excerpt
from docstead.search.analyser import Analyser

ANALYSER = Analyser()
SUPPORTED, DOUBTFUL = SupportVerdict.SUPPORTED, SupportVerdict.DOUBTFUL
NIGHTLY = "The worker deletes old logs every night."
LIMITS = "| Operation | Limit | Burst |\n|---|---|---|\n"


def passage(text: str) -> ExcerptSpans:
    return ExcerptSpans(Excerpt("https://x/#topic", "Parcelo", ("Topic",), text, 1.0), ANALYSER)


def found(claim: str, *texts: str) -> SupportFinding:
    return support_of(claim, ANALYSER, [passage(text) for text in texts])


def test_an_introduction_is_no_part_of_a_quote() -> None:
    assert found("Note that revoking cannot be undone.", "Revoking cannot be undone.").is_quoted


class TestClauses:
    def test_each_may_have_its_own_passage(self) -> None:
        claim = "Keys expire each week, and the worker deletes old logs every night."
        assert found(claim, "Keys expire each week.", NIGHTLY).verdict is SUPPORTED

    def test_all_must_have_one(self) -> None:
        claim = "The worker deletes old logs every night, and the gateway sings a merry song."
        assert found(claim, NIGHTLY).verdict is DOUBTFUL

    def test_things_swapped_between_them_are_noticed(self) -> None:
        text = "The worker reads the queue file, and the gateway writes the audit file."
        claim = "The gateway reads the queue file, and the worker writes the audit file."
        assert found(claim, text).reason == "gateway and worker have changed places"

    def test_the_number_of_one_does_not_contradict_the_passage_of_another(self) -> None:
        claim = "The worker deletes old logs every night, and the worker keeps 5 new logs."
        texts = ("Every night at 2, the worker deletes old logs.", "The worker keeps 5 new logs.")
        assert found(claim, *texts).verdict is SUPPORTED


def test_a_doubtful_passage_is_better_than_a_nearer_one_that_lacks_the_number() -> None:
    texts = ("The worker deletes 5 old files.", "The worker deletes old logs each night.")
    assert found("The worker deletes 5 old logs each night.", *texts).verdict is DOUBTFUL


def test_sentences_that_are_read_together_support_less_than_one() -> None:
    claim = "Workers compress archived logs, uploading snapshots nightly."
    text = "Workers compress archived logs. Uploading happens later."
    assert found(claim, text).verdict is DOUBTFUL


def test_words_with_the_same_beginning_may_be_others() -> None:
    assert found("The port is open.", "The portfolio is open.").verdict is DOUBTFUL


def test_forms_that_end_differently_are_the_same_word() -> None:
    claim = "The internationalization of the worker is complete."
    assert found(claim, "The internal worker is complete.").verdict is SUPPORTED


class TestLinesWithOtherNumbers:
    def test_a_line_with_the_number_itself_is_no_objection(self) -> None:
        rows = "| Send parcel | 100 | 5 |\n| Send parcel abroad | 100 | 7 |"
        assert found("The limit for Send parcel is 100.", LIMITS + rows).verdict is SUPPORTED

    def test_a_line_that_shares_no_more_words_is_no_objection(self) -> None:
        rows = "| Send parcel | 100 | |\n| Send parcel abroad | 600 | |"
        assert found("The limit for Send parcel is 100.", LIMITS + rows).verdict is SUPPORTED


class TestChangedOrder:
    def test_other_words_at_two_positions_have_not_changed_order(self) -> None:
        result = found("Old workers delete big logs.", "Idle workers delete large logs.")
        assert (result.verdict, result.reason) == (DOUBTFUL, "it says idl there, not old")

    def test_neighbors_have(self) -> None:
        reason = found("The order is name email.", "The order is email name.").reason
        assert reason == "name and email have changed places"

    def test_three_words_have_moved_in_a_circle(self) -> None:
        result = found("Copy red, green and blue files.", "Copy green, blue and red files.")
        assert result.reason == "red and blue have changed places"


class TestReplacedWords:
    def test_longer_parts_are_other_sentences(self) -> None:
        start = "The worker writes compressed logs and traces every night to the backup server"
        result = found(
            f"{start} through rented german tunnels.", f"{start} over simple copper links."
        )
        assert (result.verdict, result.reason) == (DOUBTFUL, "")

    def test_a_number_that_is_a_pronoun_replaces_nothing(self) -> None:
        claim, text = "The worker writes one log.", "The worker writes every log."
        assert found(claim, text).verdict is SUPPORTED


class TestFacts:
    def test_letters_and_numbers_in_code_are_no_identifiers(self) -> None:
        text = "Press `x`, `42` or `--fast` in `main`."
        assert TextFacts(text, ANALYSER).identifiers == {"--fast", "main"}

    def test_capitals_are_a_name_where_a_sentence_begins(self) -> None:
        assert TextFacts("API keys expire.", ANALYSER).names == {"api"}
        assert TextFacts("Keys expire.", ANALYSER).names == frozenset()

    def test_names_are_known_by_their_synonyms(self) -> None:
        assert TextFacts("Open the Fetch page.", ANALYSER).names == {"get"}

    @pytest.mark.parametrize(
        ("word", "base"),
        [("enables", "enable"), ("boxes", "box"), ("pushes", "push"), ("access", "access"),
         ("its", "its"), ("keys", "key")],
    )  # fmt: skip
    def test_a_plain_form(self, word: str, base: str) -> None:
        assert plain_form(word) == base

    @pytest.mark.parametrize(("word", "is_one"), [("5", True), ("five", True), ("fife", False)])
    def test_a_number(self, word: str, is_one: bool) -> None:
        assert is_number(word) is is_one


class TestCode:
    def test_letters_need_no_documentation(self) -> None:
        code = "i = parcelo.send(j, k)"
        assert Checker(ANALYSER).code(code, [passage("Call `parcelo.send()`.")]).is_kept

    def test_its_position_is_the_code_of_the_passage(self) -> None:
        text = "Install it with pip:\n\n```bash\npip install parcelo\n```\n"
        span = Checker(ANALYSER).code("pip install parcelo", [passage(text)]).span
        assert span is not None
        assert span.quote == "pip install parcelo"

    def test_its_position_is_the_first_sentence_of_a_passage_without_code(self) -> None:
        text = "Use pip install parcelo. It is quick."
        span = Checker(ANALYSER).code("pip install parcelo", [passage(text)]).span
        assert span is not None
        assert span.quote == "Use pip install parcelo."


def test_a_url_is_no_example_of_the_models_own() -> None:
    sources = FactSources([passage(NIGHTLY)], ())
    given = [f"Set a folder, such as `{each}`." for each in ("logs/old", "https://x.example/old")]
    own, url = (sources.facts(text, ANALYSER).identifiers for text in given)
    assert not own
    assert url
