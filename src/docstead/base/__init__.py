"""Ids, clock, error tree, key format and units. Standard library only."""
