"""Server-rendered dashboard for owners of an organization."""
