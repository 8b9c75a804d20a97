"""Loading of a folder as a `Repository`: settings, navigation, pages and modules."""
