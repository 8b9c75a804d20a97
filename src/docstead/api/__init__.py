"""The HTTP contract: one module for each family of endpoints, and what they share."""
