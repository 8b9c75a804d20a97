"""`/v1/analytics/{projectId}/…`: what readers ask, search and think, for programs."""
