"""Files that are generated for a site in addition to its pages."""
