"""Verification of a model's sentences against the documentation, without a model."""
