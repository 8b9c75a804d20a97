"""HTTP API of the assistant: messages, search and page contents."""
