"""Colors of a site, adjusted to readable contrast."""
