"""The composition root: settings in, a running house out.

Only it reads the settings and chooses adapters: SQLite or PostgreSQL, disk or S3, a chat
model or none. `services.open_services` returns everything that does not need a
running service; `service.create_service` adds the jobs and the surfaces. Commands that need
no service do not wait for those to be imported.
"""
