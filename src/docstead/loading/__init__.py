"""A folder as a `Repository`: its settings, navigation, pages and modules together."""
