"""What maintainers learn from questions, searches and thumbs."""
