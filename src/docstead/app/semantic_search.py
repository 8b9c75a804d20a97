"""The configured sentence model for semantic search."""

from __future__ import annotations

import os

from docstead.base.errors import InvalidRequest
from docstead.models.embedding import Embedder, QueryEmbeddings
from docstead.models.minilm import MiniLM
from docstead.models.openai_embeddings import OpenAIEmbeddings
from docstead.publishing.editions import EditionStore
from docstead.publishing.vector_cache import VectorCache
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.objects import ObjectStore


def embedder_of(settings: Settings) -> Embedder | None:
    """Return the embedding model, or None if semantic search is disabled.

    Raises:
        InvalidRequest: an endpoint is configured without a model.
    """
    if not settings.search_by_meaning:
        return None
    # Two threads for a matrix-vector product spend more time waiting than they save. The
    # limit must be set before the library is loaded, with the first vector.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not settings.embedding_base_url:
        return MiniLM(settings.data / "cache" / "models")
    if not settings.embedding_model:
        raise InvalidRequest(
            "settings: DOCSTEAD_EMBEDDING_MODEL: needed with DOCSTEAD_EMBEDDING_BASE_URL"
        )
    key = settings.embedding_api_key.get_secret_value()
    return OpenAIEmbeddings(settings.embedding_base_url, key, settings.embedding_model)


def editions_of(
    settings: Settings, database: Database, objects: ObjectStore, queries: QueryEmbeddings | None
) -> EditionStore:
    folder = settings.data / "cache" / "editions"
    if queries is None:
        return EditionStore(database, objects, folder)
    vector_cache = VectorCache(database, objects, folder, queries)
    return EditionStore(database, objects, folder, vectors=vector_cache)
