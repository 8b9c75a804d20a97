"""Score the check of a model's sentences by language: true ones kept, false ones left out.

    python evals/runners/sentences.py [--claims FILE …] [--repositories FOLDER]
        [--set readers|sentences] [--wrong]
        [--half work|kept|fresh|second|third|fourth|fifth|sixth|seventh
         |eighth]

A FILE is a list of `question`, `ask`, `true` and `false` about the project's own documentation.
A half of `datasets/readers` or `datasets/sentences` is scored too if FOLDER has the
documentation of its questions, each repository as `OWNER+NAME`. Every claim is held against the
five passages that search by words finds for its question in the pages' sources, so neither a
renderer nor vectors are needed. A scripted judge that is right nine times of ten and answers after
800 ms is then asked about the sentences that the rules keep. Whole answers are held against those
and the sections of their pages. Documentation that FOLDER lacks is named at the end, and the status
is 1.

`--seed-defect` tries this evaluation: with a checker that keeps or drops everything, and with a
judge to whom all sentences are supported or contradicted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from docstead.assistant.answer_trace import CheckOutcome, TraceCheck
from docstead.assistant.checking.checker import Checker, SentenceCheck, SentenceStatus
from docstead.assistant.checking.facts import TextFacts
from docstead.assistant.checking.judgments import SentenceJudgment, SentenceJudgments
from docstead.assistant.checking.spans import ExcerptSpans
from docstead.assistant.extractive.evidence import Excerpt
from docstead.assistant.passage_store import PassageStore
from docstead.assistant.writing.answer_writer import AnswerWriter
from docstead.assistant.writing.link_policy import LinkPolicy
from docstead.assistant.writing.sanitizer import MarkdownSanitizer
from docstead.content.pages import Section
from docstead.search.documents import SearchDocument
from docstead.search.index import Index
from docstead.search.index_writer import build
from seeded_defects import finish
from sentence_sets import (
    HALVES,
    OWN_LANGUAGE,
    SENTENCE_SETS,
    SentenceClaim,
    SentenceSet,
    WholeAnswer,
    given,
)
from sets import are_all_there

PASSAGES = 5
#: Least shares: true sentences kept in the documentation's language and in others, false ones
#: left out.
BARS = {
    "kept": 0.93,
    "kept, other languages": 0.90,
    "left out": 0.70,
    "whole answers": 0.90,
}
#: With the judge: most true sentences that are left out or marked, least false ones.
VERDICT_BARS = {True: 0.15, False: 0.85}
JUDGE_SECONDS = 0.8
WRONG_EVERY = 10  # judgments
AT_ONCE = 16
DEFECTS = ("keep", "drop", "judge-supports", "judge-contradicts")
_REFUTED = (CheckOutcome.DROPPED, CheckOutcome.CONTRADICTED)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[ \t]*$", re.MULTILINE | re.DOTALL)
_FRONTMATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_TITLE = re.compile(r"^title:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE)


class DefectiveChecker:
    """A checker with a seeded defect: it keeps or drops everything."""

    def __init__(self, keeps: bool) -> None:
        self._standing = SentenceStatus.CONNECTIVE if keeps else SentenceStatus.UNSUPPORTED

    async def sentence(self, *_: object) -> SentenceCheck:
        return SentenceCheck(self._standing)

    def heading(self, *_: object) -> bool:
        return self._standing is SentenceStatus.CONNECTIVE

    def code(self, *_: object) -> SentenceCheck:
        return SentenceCheck(self._standing)

    def refuses(self, *_: object) -> bool:
        return False


def checker_of(index: Index, defect: str | None) -> Any:
    """The checker, or one with a seeded defect."""
    return (
        DefectiveChecker(defect == "keep")
        if defect in ("keep", "drop")
        else Checker(index.analyser)
    )


@dataclass(frozen=True)
class ScriptedJudge:
    """A judge of one claim."""

    contradicts: bool

    async def judge(self, *_: object) -> SentenceJudgment:
        await asyncio.sleep(JUDGE_SECONDS)
        return SentenceJudgment(self.contradicts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--repositories", type=Path, metavar="FOLDER")
    parser.add_argument("--set", choices=tuple(SENTENCE_SETS), default="readers")
    parser.add_argument("--half", choices=HALVES, default="work")
    parser.add_argument("--seed-defect", choices=DEFECTS, help="try this evaluation")
    parser.add_argument(
        "--wrong", action="store_true", help="list the sentences with a wrong verdict"
    )
    options = parser.parse_args()
    claims = [claim for file in options.claims for claim in given(file)]
    chosen = SentenceSet([], [], [])
    if options.repositories:
        chosen = SENTENCE_SETS[options.set](options.half, options.repositories)
        claims += chosen.claims
    outcomes = asyncio.run(_outcomes(claims, options.seed_defect))
    is_good = report(claims, outcomes, options.wrong)
    is_complete = True
    is_good &= report_verdicts(claims, asyncio.run(_verdicts(claims, options.seed_defect)))
    if options.repositories:
        is_good &= asyncio.run(_whole(chosen.answers, options.seed_defect, options.wrong))
        is_complete = are_all_there(chosen.asked, options.repositories)
    finish(is_good, options.seed_defect, is_complete=is_complete)


async def _whole(answers: Sequence[WholeAnswer], defect: str | None, wrong: bool) -> bool:
    """Print the share of answers with at most one removed sentence; report whether it suffices."""
    indexes: dict[Path, Index] = {}
    lost = []
    for answer in answers:
        index = indexes.setdefault(answer.folder, _index(answer.folder))
        checker = checker_of(index, defect)
        lost.append(await _lost(answer, index, checker))
        for each in lost[-1] if wrong else ():
            print(f"LOST of an answer: {each}")
    share = sum(len(each) <= 1 for each in lost) / max(1, len(lost))
    print(f"answers with at most one sentence left out: {share:.3f} of {len(lost)} (at least 0.9)")
    return share >= BARS["whole answers"]


async def _lost(answer: WholeAnswer, index: Index, checker: Any) -> list[str]:
    """Return the removed sentences of an answer, given its pages and five passages."""
    passage_store = PassageStore(index.analyser)
    passage_store.add_known(_site_name(answer.folder))
    passage_store.add(_sections_of(answer))
    found = index.search(answer.question, limit=PASSAGES)
    passage_store.add(
        Excerpt(f"/{e.slug}", e.title, e.heading_path, e.markdown, e.score) for e in found
    )
    policy = LinkPolicy("https://docs.example.com", lambda path: path)
    writer = AnswerWriter(
        checker, MarkdownSanitizer(policy), passage_store, question=answer.question
    )
    said = [each async for each in writer.add(answer.text)]
    said += [each async for each in writer.end()]
    return [
        f"{each.sentence} <{each.reason}>"
        for each in said
        if isinstance(each, TraceCheck) and each.outcome is CheckOutcome.DROPPED
    ]


def _sections_of(answer: WholeAnswer) -> Iterator[Excerpt]:
    for page in answer.pages:
        for suffix in (".mdx", ".md"):
            file = answer.folder / f"{page}{suffix}"
            if file.is_file():
                document = _document(file, answer.folder)
                for each in document.sections:
                    path = tuple(each.heading_path)
                    yield Excerpt(f"/{page}", document.title, path, each.markdown, 1.0)


async def _outcomes(claims: Sequence[SentenceClaim], defect: str | None) -> list[SentenceCheck]:
    indexes: dict[Path, Index] = {}
    materials: dict[tuple[object, ...], list[ExcerptSpans]] = {}
    found = []
    for claim in claims:
        if claim.folder not in indexes:
            indexes[claim.folder] = _index(claim.folder)
        index = indexes[claim.folder]
        key = (claim.folder, claim.question, claim.page, claim.line)
        if key not in materials:
            materials[key] = _materials(index, claim)
        checker = checker_of(index, defect)
        known = TextFacts(_site_name(claim.folder), index.analyser)
        found.append(await checker.sentence(claim.text, materials[key], (), claim.question, known))
    return found


async def _verdicts(
    claims: Sequence[SentenceClaim], defect: str | None
) -> list[CheckOutcome | None]:
    """Return how each claim was refuted, by the rules or by the judge afterwards, if it was."""
    indexes = {folder: _index(folder) for folder in {claim.folder for claim in claims}}
    wrong = {*_wrong_verdicts(claims, True), *_wrong_verdicts(claims, False)}
    slots = asyncio.Semaphore(AT_ONCE)

    async def refuted(claim: SentenceClaim) -> CheckOutcome | None:
        judge = ScriptedJudge(_verdict(claim, claim in wrong, defect))
        async with slots:
            return await _refuted(claim, indexes[claim.folder], judge, defect)

    return await asyncio.gather(*map(refuted, claims))


def _verdict(claim: SentenceClaim, is_wrong: bool, defect: str | None) -> bool:
    """Report whether the judge calls the claim contradicted."""
    if defect in ("judge-supports", "judge-contradicts"):
        return defect == "judge-contradicts"
    return claim.is_true is is_wrong


def _wrong_verdicts(claims: Sequence[SentenceClaim], is_true: bool) -> Sequence[SentenceClaim]:
    """Return one in ten of the true or of the false claims, the same in each run."""
    chosen = [claim for claim in claims if claim.is_true is is_true]
    return sorted(chosen, key=lambda claim: sha256(claim.text.encode()).digest())[::WRONG_EVERY]


async def _refuted(
    claim: SentenceClaim, index: Index, judge: ScriptedJudge, defect: str | None
) -> CheckOutcome | None:
    passage_store = PassageStore(index.analyser)
    passage_store.add_known(_site_name(claim.folder))
    passage_store.add(_excerpts(index, claim))
    checker = checker_of(index, defect)
    judgments = SentenceJudgments(judge)
    sanitizer = MarkdownSanitizer(LinkPolicy("https://docs.example.com", lambda path: path))
    writer = AnswerWriter(
        checker, sanitizer, passage_store, question=claim.question, judgments=judgments
    )
    said = [each async for each in writer.add(claim.text)]
    said += [each async for each in writer.end()]
    await judgments.aclose()
    outcomes = (each.outcome for each in said if isinstance(each, TraceCheck))
    return next((each for each in outcomes if each in _REFUTED), None)


def report_verdicts(
    claims: Sequence[SentenceClaim], refuted: Sequence[CheckOutcome | None]
) -> bool:
    """Print the shares of removed and marked sentences; report whether both suffice."""
    print(f"with the scripted judge, which answers after {JUDGE_SECONDS} s:")
    total = {}
    for is_true in VERDICT_BARS:
        found = [o for claim, o in zip(claims, refuted, strict=True) if claim.is_true is is_true]
        out, marked = (found.count(outcome) / max(1, len(found)) for outcome in _REFUTED)
        total[is_true] = out + marked
        name = f"{str(is_true).lower()} sentences (of {len(found)})"
        print(f"  {name}: left out {out:.3f}, marked {marked:.3f}, together {out + marked:.3f}")
    most, least = VERDICT_BARS[True], VERDICT_BARS[False]
    print(f"  (together at most {most} of the true ones, at least {least} of the false ones)")
    return total[True] <= most and total[False] >= least


def _materials(index: Index, claim: SentenceClaim) -> list[ExcerptSpans]:
    return [ExcerptSpans(each, index.analyser) for each in _excerpts(index, claim)]


def _excerpts(index: Index, claim: SentenceClaim) -> list[Excerpt]:
    excerpts = [*_named(claim)]
    for each in index.search(claim.question, limit=PASSAGES):
        link = f"/{each.slug}"
        excerpts.append(Excerpt(link, each.title, each.heading_path, each.markdown, each.score))
    return excerpts[:PASSAGES]


def _named(claim: SentenceClaim) -> Iterator[Excerpt]:
    """Yield the section that the claim's row names."""
    for suffix in (".mdx", ".md"):
        file = claim.folder / f"{claim.page}{suffix}"
        if claim.page and file.is_file():
            text = file.read_text(errors="replace")
            start = sum(map(len, text.splitlines(keepends=True)[: claim.line - 1]))
            for begin, heading, markdown in _parts(text):
                if begin <= start < begin + len(markdown):
                    yield Excerpt(f"/{claim.page}", claim.page, (heading,), markdown, 1.0)


@cache
def _site_name(folder: Path) -> str:
    """Return the name of a documentation, which every request to a model contains."""
    files = (folder / name for name in ("docs.json", "mint.json"))
    return next((json.loads(each.read_text())["name"] for each in files if each.is_file()), "")


def _index(folder: Path) -> Index:
    target = Path(tempfile.mkdtemp(prefix="docstead-eval-"))
    try:
        found = (file for file in folder.rglob("*.md*") if file.suffix in (".md", ".mdx"))
        files = sorted(file for file in found if file.is_file())
        build((_document(file, folder) for file in files), target)
        return Index(target)
    finally:
        # Mapped files stay readable; a merge of the index may still be writing.
        shutil.rmtree(target, ignore_errors=True)


def _document(file: Path, folder: Path) -> SearchDocument:
    """Return a page from its source, with a section for each heading."""
    text = file.read_text(errors="replace")
    head = _FRONTMATTER.match(text)
    title = _TITLE.search(head[1]) if head else None
    slug = file.relative_to(folder).with_suffix("").as_posix()
    body = text[head.end() :] if head else text
    return SearchDocument(slug, title[1] if title else slug, tuple(_sections(body)))


def _sections(body: str) -> Iterator[Section]:
    for _, heading, markdown in _parts(body):
        yield Section(heading.lower(), (heading,) if heading else (), markdown.strip())


def _parts(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each section's start, its heading, and its text with the heading's introduction."""
    code = [(fence.start(), fence.end()) for fence in _FENCE.finditer(text)]
    headings = [
        each
        for each in _HEADING.finditer(text)
        if not any(start <= each.start() < end for start, end in code)
    ]
    ends = [*(each.start() for each in headings), len(text)]
    yield 0, "", text[: ends[0]]
    for heading, end in zip(headings, ends[1:], strict=True):
        yield heading.end(), heading[2], text[heading.end() : end]


def report(claims: Sequence[SentenceClaim], outcomes: Sequence[SentenceCheck], wrong: bool) -> bool:
    """Print the shares; report whether all suffice."""
    made: Counter[tuple[str, bool]] = Counter()
    kept: Counter[tuple[str, bool]] = Counter()
    cited = 0
    for claim, outcome in zip(claims, outcomes, strict=True):
        made[claim.language, claim.is_true] += 1
        kept[claim.language, claim.is_true] += outcome.is_kept
        cited += outcome.is_kept and outcome.material is not None
        if wrong and outcome.is_kept is not claim.is_true:
            verdict = "LOST" if claim.is_true else "KEPT"
            print(f"{verdict} {claim.language}: {claim.text}   <{outcome.reason}>")
    print(f"{'language':10} {'true kept':>12} {'false left out':>16}")
    for language in sorted({claim.language for claim in claims}):
        true = f"{kept[language, True]} of {made[language, True]}"
        left = made[language, False] - kept[language, False]
        print(f"{language:10} {true:>12} {f'{left} of {made[language, False]}':>16}")
    languages = {claim.language for claim in claims} - {OWN_LANGUAGE}
    shares = {
        "kept": _share(kept, made, {OWN_LANGUAGE}, True),
        "kept, other languages": _share(kept, made, languages, True),
        "left out": 1 - _share(kept, made, {OWN_LANGUAGE, *languages}, False),
    }
    print(f"left out, own language: {1 - _share(kept, made, {OWN_LANGUAGE}, False):.3f}")
    for name, share in shares.items():
        print(f"{name}: {share:.3f} (at least {BARS[name]})")
    print(f"cited: {cited} of {sum(kept.values())} kept")
    return all(share >= BARS[name] for name, share in shares.items())


def _share(
    kept: Counter[tuple[str, bool]],
    made: Counter[tuple[str, bool]],
    languages: set[str],
    is_true: bool,
) -> float:
    total = sum(made[language, is_true] for language in languages)
    return sum(kept[language, is_true] for language in languages) / max(1, total)


if __name__ == "__main__":
    main()
