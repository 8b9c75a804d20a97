"""Intended differences between two versions of the product."""
