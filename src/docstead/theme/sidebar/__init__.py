"""The sidebar of a site and of each page."""
