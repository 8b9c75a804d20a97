"""Page chrome: everything around a rendered page, and the shared files of a site."""
