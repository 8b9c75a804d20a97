"""Tools of a model while it answers: read-only, and limited to readers' pages."""
