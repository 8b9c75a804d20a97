"""Score the check of a model's sentences: invented ones left out, supported ones kept.

    python evals/runners/citations.py [--repository NAME=FOLDER …] [--passages 60]
        [--seed-defect keep|drop]

A scripted model, behind a real server, mixes sentences that the passages support with ones
that they do not; what leaves for the reader is counted. Without a repository it is our own.
`--seed-defect` tries this evaluation: with a checker that keeps or drops every sentence.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

from claims import GradedClaim, invented, sentences, supported
from corpus import Corpus, add_options, opened

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests" / "support"))

from chat_server import ChatServer, Reply, Rule, chat_server
from docstead.assistant import answering
from docstead.assistant.answer_task import AnswerOptions, AnswerTask
from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.events import TextDelta
from docstead.assistant.links import AbsoluteLinks
from docstead.models.embedding import Embedder
from docstead.models.minilm import MiniLM
from docstead.models.openai_compatible import OpenAICompatible
from docstead.search.documents import Passage
from seeded_defects import finish
from sentences import DefectiveChecker

OWN_DOCS = Path(__file__).parent.parent.parent / "docs"
SITE = "https://docs.example.com"
# A sentence that passages neither support nor contradict is kept without a citation.
INNOCENT = frozenset({"of another page", "template"})
DEFECTS = ("keep", "drop")
_LEAST_DROPPED, _MOST_LOST = 0.95, 0.03
_PER_ANSWER = 8
_PER_PASSAGE = 6  # per kind


@dataclass
class CitationScore:
    """Number of claims of each kind, and number of those that were sent."""

    made: Counter[str] = field(default_factory=Counter)
    stated: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def share(self, without: frozenset[str] = frozenset()) -> float:
        """Return the share that was detected, of all kinds except some."""
        kinds = self.made.keys() - without
        return sum(self.stated[kind] for kind in kinds) / max(1, self.count(without))

    def count(self, without: frozenset[str] = frozenset()) -> int:
        return sum(self.made[kind] for kind in self.made.keys() - without)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--passages", type=int, default=60, help="of each repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", action="store_true", help="print what went wrong")
    parser.add_argument("--no-embedder", action="store_true", help="check by words only")
    parser.add_argument("--seed-defect", choices=DEFECTS, help="try this evaluation")
    add_options(parser)
    options = parser.parse_args()
    options.words_only = True  # how passages are found matters less than how they are used
    named = [each.partition("=")[::2] for each in options.repository] or [("own", str(OWN_DOCS))]
    if options.seed_defect:
        answering.Checker = lambda *_: DefectiveChecker(options.seed_defect == "keep")
    good, lost = CitationScore(), CitationScore()
    for name, folder in named:
        embedder = None if options.no_embedder else MiniLM(options.cache / "models")
        corpus = opened(name, Path(folder), options)
        with chat_server() as server:
            writing = writing_of(server, embedder)
            chance = random.Random(options.seed)
            run(CitationTrial(corpus, server, writing, chance, good, lost), options.passages)
    finish(_report(good, lost, options.wrong), options.seed_defect)


def writing_of(server: ChatServer, embedder: Embedder | None) -> answering.ModelAnswerer:
    model = OpenAICompatible(server.url, "key", "scripted")
    return answering.ModelAnswerer(model, AnswerOptions(suggests=False), embedder=embedder)


@dataclass(frozen=True)
class CitationTrial:
    """A documentation, the model that answers from it, and the score."""

    corpus: Corpus
    server: ChatServer
    writing: answering.ModelAnswerer
    chance: random.Random
    good: CitationScore
    lost: CitationScore


def run(trial: CitationTrial, passages: int) -> None:
    """Ask about a number of passages, and count."""
    chance = trial.chance
    everything = [each for each in trial.corpus.index.passages() if sentences(each)]
    chosen = chance.sample(everything, min(passages, len(everything)))
    foreign = chance.sample(everything, min(40, len(everything)))
    others = [text for each in foreign for text in sentences(each)]
    asyncio.run(_all(trial, chosen, others))


async def _all(trial: CitationTrial, chosen: Sequence[Passage], others: Sequence[str]) -> None:
    for passage in chosen:
        task = _task(trial.corpus, passage)
        near = await _given(trial, task)
        if not all(each in near.replace("\n", " ") for each in sentences(passage)):
            continue
        foreign = [each for each in others if each not in near]
        true = list(supported(passage, trial.chance))
        false = list(invented(passage, trial.chance, foreign, sentences_of(near)))
        claims = [*_some(true, trial.chance), *_some(false, trial.chance)]
        trial.chance.shuffle(claims)
        for start in range(0, len(claims), _PER_ANSWER):
            part = claims[start : start + _PER_ANSWER]
            _count(part, await _answer(trial, task, part), trial, passage)


def _some(claims: Sequence[GradedClaim], chance: random.Random) -> list[GradedClaim]:
    return chance.sample(claims, min(len(claims), _PER_PASSAGE))


def _task(corpus: Corpus, passage: Passage) -> AnswerTask:
    name = " ".join((*passage.heading_path[-1:], passage.title))
    question = Question(
        (ConversationMessage(Speaker.USER, f"{name} {passage.markdown[:120]}"),), page_size=5
    )
    edition = SimpleNamespace(id="ed", site=corpus.site, index=corpus.index, page={}.get)
    return AnswerTask(question, (), edition, AbsoluteLinks(SITE), SITE, "thread")


async def _given(trial: CitationTrial, task: AnswerTask) -> str:
    """Return the model's prompt."""
    trial.server.rules = [Rule("", Reply("Hello."))]
    await _text(trial.writing, task)
    return trial.server.conversations[-1].question


async def _answer(trial: CitationTrial, task: AnswerTask, claims: Sequence[GradedClaim]) -> str:
    trial.server.rules = [Rule("", Reply(*(f"{claim.text}\n\n" for claim in claims)))]
    return await _text(trial.writing, task)


async def _text(writing: answering.ModelAnswerer, task: AnswerTask) -> str:
    async with aclosing(writing.answer(task)) as events:
        return "".join([e.text async for e in events if isinstance(e, TextDelta)])


def sentences_of(text: str) -> list[str]:
    return [each.strip() for each in re.split(r"(?<=[.!?])\s+", text) if each.strip()]


def _count(
    claims: Sequence[GradedClaim], text: str, trial: CitationTrial, passage: Passage
) -> None:
    said = _bare(text)
    for claim in claims:
        stated = _bare(claim.text) in said
        score = trial.good if claim.is_supported else trial.lost
        score.made[claim.kind] += 1
        score.stated[claim.kind] += stated
        if stated != claim.is_supported:
            score.wrong.append(f"{claim.kind}: {claim.text}   <{passage.slug}>")


def _bare(text: str) -> str:
    return re.sub(r"[^\w]+", " ", re.sub(r" \[\d+\]\([^()]*\)", "", text)).strip().lower()


def _report(good: CitationScore, lost: CitationScore, wrong: bool) -> bool:
    dropped, missed = 1 - lost.share(INNOCENT), 1 - good.share()
    print(f"{'invented':28} made  left out")
    for kind in sorted(lost.made):
        print(f"  {kind:26} {lost.made[kind]:4}  {1 - lost.stated[kind] / lost.made[kind]:.3f}")
    print(f"{'supported':28} made  lost")
    for kind in sorted(good.made):
        print(f"  {kind:26} {good.made[kind]:4}  {1 - good.stated[kind] / good.made[kind]:.3f}")
    print(
        f"left out of {lost.count(INNOCENT)} with a wrong fact: {dropped:.3f}"
        f" (at least {_LEAST_DROPPED})"
    )
    print(f"lost of {sum(good.made.values())} supported: {missed:.3f} (at most {_MOST_LOST})")
    if wrong:
        print("\n".join(["", "LOST", *good.wrong, "", "TOLD", *lost.wrong]))
    return dropped >= _LEAST_DROPPED and missed <= _MOST_LOST


if __name__ == "__main__":
    main()
