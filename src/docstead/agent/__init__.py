"""Agent jobs: an instruction becomes a checked pull request; follow-ups continue it."""
