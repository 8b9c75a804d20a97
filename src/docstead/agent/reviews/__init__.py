"""Changes of plain git and local repositories, reviewed and merged in the dashboard."""
