"""AsyncAPI: channels and messages."""
