"""Files of changes that people have marked as viewed."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from docstead.storage.database import Database
from docstead.storage.schema import change_views


class ViewedFiles:
    """Marks of all changes. A mark refers to one diff of a file, by its digest."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set(self, change_id: str, owner_id: str, path: str, digest: str) -> None:
        """Mark a file as viewed; an empty digest removes the mark."""
        row = {"change_id": change_id, "owner_id": owner_id, "path": path, "digest": digest}
        same = (change_views.c[name] == row[name] for name in ("change_id", "owner_id", "path"))
        with self._database.transaction() as connection:
            connection.execute(delete(change_views).where(*same))
            if digest:
                connection.execute(insert(change_views).values(row))

    def of(self, change_id: str, owner_id: str) -> dict[str, str]:
        """Return digests of viewed diffs by file path."""
        query = select(change_views.c.path, change_views.c.digest).where(
            change_views.c.change_id == change_id, change_views.c.owner_id == owner_id
        )
        with self._database.reading() as connection:
            return {row.path: row.digest for row in connection.execute(query)}
