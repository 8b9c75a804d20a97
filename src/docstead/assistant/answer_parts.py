"""Parts shared by both answerers: search, refusals, suggestions, links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from docstead.assistant.answer_task import AnswerOptions, AnswerTask, Said
from docstead.assistant.conversation import Question, Speaker
from docstead.assistant.events import AnswerData, TextDelta
from docstead.assistant.refusals import refusal, words_of
from docstead.assistant.replies import quoted_links
from docstead.assistant.retrieval import Retrieval, RetrievedPassages
from docstead.assistant.small_talk import is_small_talk, small_talk_language
from docstead.assistant.suggestions import follow_ups
from docstead.assistant.tools.library import DocumentationLookup
from docstead.assistant.writing.link_policy import LinkPolicy
from docstead.base.errors import NotFound

SUGGESTIONS = "suggestions"  #: Name of the data part with follow-up questions.
_LONGEST_PAGE = 50_000  # characters of the reader's current page


def seen_text(task: AnswerTask) -> str:
    """Return the reader's earlier questions and the text of their current page. Blocking."""
    asked = [said.text for said in task.earlier if said.speaker is Speaker.USER]
    path = task.question.current_path
    if not path:
        return "\n".join(asked)
    try:
        page = DocumentationLookup(task.edition, task.links, task.question).page(path)
    except NotFound:
        page = []
    text = "\n\n".join(each.markdown for each in page)[:_LONGEST_PAGE]
    return "\n".join((*asked, text))


def found_for(task: AnswerTask, question: Question) -> RetrievedPassages:
    """Search the edition with the context of the thread. Blocking."""
    asked = [m.text for m in task.earlier if m.speaker is Speaker.USER]
    answers = (m.text for m in task.earlier if m.speaker is Speaker.ASSISTANT)
    shown = [list(quoted_links(answer)) for answer in answers]
    previous = shown[-1][0] if shown and shown[-1] else ""
    retrieval = Retrieval(task.edition.index, task.edition.site, task.links)
    return retrieval.find(question, asked, frozenset(chain.from_iterable(shown)), previous)


def refusal_for(
    task: AnswerTask,
    options: AnswerOptions,
    looked_for: Sequence[str],
    said: str = "",
    language: str = "",
) -> Iterator[Said]:
    """Return a refusal with the model's words or, without `said`, with ours. Blocking.

    `language` is the question's, if it is known.
    """
    if is_small_talk(text := task.question.text):
        words = words_of(task.question, task.edition.site, small_talk_language(text))
        return iter([TextDelta(words.small_talk)])
    library = DocumentationLookup(task.edition, task.links, task.question)
    words = words_of(task.question, task.edition.site, language)
    return refusal(
        library,
        words,
        looked_for,
        support=options.support,
        thread_id=task.thread_id,
        said=said,
    )


def suggestions_for(
    task: AnswerTask, found: RetrievedPassages, sources: Sequence[str] = ()
) -> AnswerData:
    """Return the follow-up questions of an answer with these sources. Blocking."""
    return AnswerData(SUGGESTIONS, list(follow_ups(task.edition, found, found.asked, sources)))


def links_allowed(
    task: AnswerTask, library: DocumentationLookup, options: AnswerOptions
) -> LinkPolicy:
    contacts = [options.support.target] if options.support else []
    return LinkPolicy(task.site_url, library.url, options.link_hosts, contacts)
