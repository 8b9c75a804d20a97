"""Analytics for maintainers: questions, searches, views and feedback."""
