"""Storage: the database, objects and signed links."""
