"""The assistant over HTTP: messages (v1), search and page contents."""
