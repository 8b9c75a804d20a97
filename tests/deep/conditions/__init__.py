"""Drops one condition of a query at a time, so that the tests can be tested."""
