"""Extractive answers: quotes from retrieved passages, without a model."""
