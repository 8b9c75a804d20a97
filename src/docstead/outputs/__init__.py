"""Files that are generated for a site besides its pages."""
