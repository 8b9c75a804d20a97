"""A documentation repository as a searchable index, without a service.

Rendered pages and vectors are cached in `--cache`, so that the second run takes seconds; use
an empty one after changes to pages or their rendering.
"""

from __future__ import annotations

import argparse
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docstead.assistant.conversation import ConversationMessage, Question, Speaker
from docstead.assistant.events import SourceFound, TextDelta
from docstead.assistant.links import AbsoluteLinks
from docstead.assistant.reader_location import preference
from docstead.assistant.replies import quoted
from docstead.assistant.retrieval import Retrieval, RetrievedPassages
from docstead.content.generic_titles import groups_of_generic_titles
from docstead.content.pages import Repository, Section, Site
from docstead.content.public_pages import is_searchable
from docstead.loading.loader import load_repository
from docstead.markup.rendered import RenderedPage
from docstead.models.embedding import QueryEmbeddings
from docstead.models.minilm import MiniLM
from docstead.rendering import RenderingEngine
from docstead.rendering.limits import EngineLimits
from docstead.search.documents import Passage, SearchDocument, document_of
from docstead.search.fusion import SemanticIndex
from docstead.search.index import Index
from docstead.search.index_writer import build
from docstead.search.vectors import VectorFile, passage_vector, write_vectors

_PAGE_SECONDS = 60.0  # results must not depend on the machine's load
SITE = "https://docs"
CACHE = Path(tempfile.gettempdir()) / "docstead-evals"


@dataclass(frozen=True)
class CorpusAnswer:
    text: str
    pages: tuple[str, ...]  # slugs of its sources
    urls: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Corpus:
    """An indexed repository."""

    site: Site
    index: Index
    sections: Mapping[str, tuple[Section, ...]] = field(default_factory=dict)  # by slug

    def pages(self, query: str, limit: int) -> list[str]:
        """Return the slugs of the best pages."""
        found = self.index.search(query, limit=4 * limit, prefer=preference(self.site, None))
        return list(dict.fromkeys(each.slug for each in found))[:limit]

    def page(self, slug: str) -> RenderedPage | None:
        """Return the sections of a page, without its HTML."""
        sections = self.sections.get(slug)
        return RenderedPage(slug, "", (), sections) if sections is not None else None

    def found(self, question: str) -> RetrievedPassages:
        asked = Question((ConversationMessage(Speaker.USER, question),))
        return self._retrieval.find(asked, ())

    def read(self, question: str, passages: int) -> RetrievedPassages:
        """Return the passages of a single reading, unlike `found`."""
        asked = Question((ConversationMessage(Speaker.USER, question),), page_size=passages)
        return self._retrieval.read(asked, question)

    @property
    def _retrieval(self) -> Retrieval:
        return Retrieval(self.index, self.site, AbsoluteLinks(SITE))

    def ask(self, question: str) -> CorpusAnswer:
        started = time.perf_counter()
        said = list(quoted(self.found(question)))
        seconds = time.perf_counter() - started
        text = "".join(each.text for each in said if isinstance(each, TextDelta))
        urls = [each.source.url for each in said if isinstance(each, SourceFound)]
        slugs = (url.removeprefix(f"{SITE}/").partition("#")[0] for url in urls)
        return CorpusAnswer(text, tuple(dict.fromkeys(slugs)), tuple(urls), seconds)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder for pages and vectors")
    parser.add_argument("--words-only", action="store_true", help="search without vectors")


def corpora(options: argparse.Namespace) -> dict[str, Corpus]:
    """Return the corpora of `--repository NAME=FOLDER`."""
    pairs = (each.partition("=")[::2] for each in options.repository)
    folders = {name: Path(folder) for name, folder in pairs}
    if missing := [str(folder) for folder in folders.values() if not folder.is_dir()]:
        print(f"--repository: not a folder: {', '.join(missing)}", file=sys.stderr)
        sys.exit(2)
    return {name: opened(name, folder, options) for name, folder in folders.items()}


def opened(name: str, folder: Path, options: argparse.Namespace) -> Corpus:
    cache: Path = options.cache
    cache.mkdir(parents=True, exist_ok=True)
    site, documents = _rendered(name, folder, cache)
    target = Path(tempfile.mkdtemp(prefix="docstead-eval-"))
    try:
        build(documents, target)
        index = Index(target)
    finally:
        shutil.rmtree(target)  # the mapped file stays readable
    if not options.words_only:
        model = MiniLM(cache / "models")
        index = index.with_meaning(
            SemanticIndex(_vectors(name, index, model, cache), QueryEmbeddings(model))
        )
    return Corpus(site, index, {each.slug: each.sections for each in documents})


def _rendered(name: str, folder: Path, cache: Path) -> tuple[Site, list[SearchDocument]]:
    kept = cache / f"{name}.pages"
    if not kept.exists():
        repository = load_repository(folder)
        site = repository.site
        pages = _pages(repository)
        groups = groups_of_generic_titles(site)
        documents = [
            document_of(site.pages[slug], pages[slug].sections, groups.get(slug, ""))
            for slug in repository.pages
            if not pages[slug].failed and is_searchable(site, site.pages[slug])
        ]
        kept.write_bytes(pickle.dumps((site, documents)))
    return pickle.loads(kept.read_bytes())


def _pages(repository: Repository) -> dict[str, RenderedPage]:
    limits = EngineLimits(page_seconds=_PAGE_SECONDS)
    with RenderingEngine(2, limits) as engine:
        return {page.slug: page for page in engine.render(repository, list(repository.pages))}


def _vectors(name: str, index: Index, model: MiniLM, cache: Path) -> VectorFile:
    kept = cache / f"{name}.{model.space}.vec"
    stored = VectorFile(kept).by_digest() if kept.exists() else {}
    # They are mapped from the file that is written anew below.
    known = {digest: vector.copy() for digest, vector in stored.items()}
    passages = {each.digest: each for each in index.passages()}
    new = [passage for digest, passage in passages.items() if digest not in known]
    for done, passage in enumerate(_with_progress(new, name), 1):
        of_text, of_name = model.embed([f"{passage.name}\n{passage.markdown}", passage.name])
        known[passage.digest] = passage_vector(of_text, of_name)
        if done % 500 == 0:
            write_vectors(kept, model.space, known)
    if new:
        write_vectors(kept, model.space, known)
    return VectorFile(kept)


def _with_progress(passages: Sequence[Passage], name: str) -> Iterator[Passage]:
    started = time.monotonic()
    for done, passage in enumerate(passages, 1):
        yield passage
        if done % 100 == 0 or done == len(passages):
            rate = done / (time.monotonic() - started)
            print(f"{name}: {done} of {len(passages)} vectors, {rate:.0f}/s", file=sys.stderr)
