"""Colors of a site, adjusted until text is readable."""
