"""Composition root: creates the service and its parts from the settings.

Only this package reads the settings and chooses adapters: SQLite or PostgreSQL, disk or S3, a chat
model or none. `services.open_services` returns everything that works without a running service;
`service.create_service` adds jobs and surfaces. Imports are separate, so that short commands start
fast.
"""
