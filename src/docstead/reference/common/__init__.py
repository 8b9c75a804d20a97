"""Shared parts of reference pages."""
