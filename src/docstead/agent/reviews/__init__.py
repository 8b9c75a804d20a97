"""Changes of plain git and local repositories, reviewed and merged on Docstead's own pages."""
