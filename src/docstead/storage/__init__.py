"""Where things are kept: the database, objects and signed links."""
