"""Content becomes HTML. Pure apart from the engine's own processes."""
