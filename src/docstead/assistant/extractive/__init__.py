"""Answers without a model: quotes from the passages that were found."""
