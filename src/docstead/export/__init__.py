"""Static export: an edition becomes files, a bundle and an expiring link."""
