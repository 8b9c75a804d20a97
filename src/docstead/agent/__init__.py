"""Agent jobs: an instruction becomes a checked pull request, and a follow-up continues it."""
