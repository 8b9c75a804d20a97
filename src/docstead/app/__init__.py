"""The composition root: settings in, a running house out.

It alone reads the settings and chooses adapters: SQLite or PostgreSQL, disk or S3, a chat
model or none. Whoever calls `open_services` has everything that does not need a running
service; `create_service` adds the jobs and the surfaces.
"""

from docstead.app.service import create_service
from docstead.app.services import Services, database_url, open_services

__all__ = ["Services", "create_service", "database_url", "open_services"]
