"""Ids, clock, errors, key format, units and other foundations."""
