"""Page chrome: everything around a rendered page, and the files that belong to a site."""
