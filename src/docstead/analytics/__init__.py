"""Statistics for maintainers from questions, searches and thumbs."""
