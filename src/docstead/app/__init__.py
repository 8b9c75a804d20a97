"""The composition root: settings in, a running house out.

Only it reads the settings and chooses adapters: SQLite or PostgreSQL, disk or S3, a chat
model or none. Whoever calls `services.open_services` has everything that does not need a
running service; `service.create_service` adds the jobs and the surfaces. Commands that need
no service do not wait for those to be imported.
"""
