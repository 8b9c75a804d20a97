"""Generated files of a site in addition to its pages."""
