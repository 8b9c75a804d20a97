"""A published documentation of generated sections, with mostly random vectors.

The duration of a search does not depend on the vectors, and the model would need minutes for
those of 10,000 sections. Sections that are to be found have real ones, and queries are embedded
by the included model.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Collection
from pathlib import Path

import numpy as np
from sqlalchemy import update

from docstead.app.services import open_services
from docstead.models.minilm import MiniLM
from docstead.publishing.vector_cache import vectors_key
from docstead.search import english
from docstead.search.index import Index
from docstead.search.vectors import passage_vector, write_vectors
from docstead.settings import load_settings
from docstead.storage.schema import editions
from measure import DOCSTEAD

DOMAIN = "docstead"
_DIMENSIONS = 384
_SENTENCES = 8
_PAGES_PER_GROUP = 20
_RANDOM = random.Random(7)
_ENGLISH = Path(english.__file__).with_name("english_words.txt").read_text().split()
_WORDS = [word for word in _ENGLISH[200:9_000] if len(word) > 3][:6_000]


def words(count: int) -> str:
    # A skewed choice, since real words are not equally frequent.
    return " ".join(_WORDS[int(_RANDOM.random() ** 3 * len(_WORDS))] for _ in range(count))


def question() -> str:
    return f"How do I {words(5)}?"


def repository(folder: Path, pages: int, sections: int) -> list[str]:
    """Create a repository; return the titles of its sections, each a question."""
    folder.mkdir(parents=True)
    headings = []
    for number in range(pages):
        own = [words(4) for _ in range(sections)]
        headings += own
        text = "\n\n".join(f"## {heading}\n\n{_text(heading)}" for heading in own)
        (folder / f"page-{number}.mdx").write_text(f"---\ntitle: {words(2)}\n---\n\n{text}\n")
    config = {
        "name": "Bench",
        "theme": "mint",
        "colors": {"primary": "#0F766E"},
        "navigation": {"groups": _groups(pages)},
    }
    (folder / "docs.json").write_text(json.dumps(config))
    return headings


def publish(source: Path, data: Path, own_vectors: Collection[str] = ()) -> None:
    """Publish into a new data folder; sections with these titles get real vectors."""
    os.environ |= {"DOCSTEAD_DATA": str(data), "DOCSTEAD_DEFAULT_DOMAIN": DOMAIN}
    command = [*DOCSTEAD, "publish", str(source), "--domain", DOMAIN]
    subprocess.run(command, check=True, capture_output=True)
    with open_services(load_settings()) as services, tempfile.TemporaryDirectory() as scratch:
        edition = services.editions.current(services.tenancy.deployment_of_domain(DOMAIN))
        assert edition is not None
        model, file = MiniLM(Path(scratch)), Path(scratch) / "vectors"
        write_vectors(file, MiniLM.space, _vectors(edition.index, model, set(own_vectors)))
        key = vectors_key(MiniLM.space, edition.id)
        services.objects.put(key, file)
        with services.database.transaction() as connection:
            row = update(editions).where(editions.c.id == edition.id).values(vectors_key=key)
            connection.execute(row)


def _vectors(index: Index, model: MiniLM, own: set[str]) -> dict[int, np.ndarray]:
    generator, found = np.random.default_rng(7), {}
    for each in index.passages():
        chance = generator.standard_normal(_DIMENSIONS).astype(np.float32)
        found[each.digest] = chance / np.linalg.norm(chance)
        if own.intersection(each.heading_path):
            texts = [f"{each.name}\n{each.markdown}", each.name]
            found[each.digest] = passage_vector(*model.embed(texts))
    return found


def _groups(pages: int) -> list[dict[str, object]]:
    slugs = [f"page-{number}" for number in range(pages)]
    starts = range(0, pages, _PAGES_PER_GROUP)
    return [{"group": words(2), "pages": slugs[at : at + _PAGES_PER_GROUP]} for at in starts]


def _text(heading: str) -> str:
    """Return prose, a list and some code, as in real sections."""
    sentences = [f"{words(11).capitalize()}." for _ in range(_SENTENCES)]
    sentences[1] = f"To {heading}, {words(6)}."
    steps = "\n".join(f"{step}. {words(7).capitalize()}." for step in range(1, 4))
    return f"{' '.join(sentences)}\n\n{steps}\n\n```bash\n{words(4)}\n```"
