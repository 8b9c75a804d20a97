"""Reading of a documentation repository's files, with problems as diagnostics."""
