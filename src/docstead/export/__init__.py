"""An edition becomes static files, a bundle and an expiring link."""
