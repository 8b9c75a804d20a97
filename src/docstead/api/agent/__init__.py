"""Agent jobs over HTTP: the second version, its events, and the deprecated first."""
