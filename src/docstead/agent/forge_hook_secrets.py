"""Secrets with which forges sign their webhooks, one for each project."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from sqlalchemy import select, update

from docstead.base.errors import NotFound
from docstead.storage.database import Database
from docstead.storage.schema import projects

_number = projects.c.hook_secret_number


@dataclass(frozen=True)
class ForgeHookSecrets:
    """Derives secrets from `key` and the number of rotations, which all processes read."""

    database: Database
    key: bytes

    def of(self, project_id: str) -> str:
        """Return the current secret of a project."""
        query = select(_number).where(projects.c.id == project_id)
        with self.database.reading() as connection:
            return self._secret(project_id, connection.execute(query).scalar() or 0)

    def rotate(self, project_id: str) -> str:
        """Replace the secret of a project; return the new one. The previous one ends at once.

        Raises:
            NotFound: there is no such project.
        """
        statement = update(projects).where(projects.c.id == project_id)
        renumbered = statement.values({_number: _number + 1}).returning(_number)
        with self.database.transaction() as connection:
            number = connection.execute(renumbered).scalar()
        if number is None:
            raise NotFound("there is no such project")
        return self._secret(project_id, number)

    def _secret(self, project_id: str, number: int) -> str:
        name = f"comments {number} of {project_id}" if number else f"comments of {project_id}"
        return hmac.digest(self.key, name.encode(), hashlib.sha256).hex()
