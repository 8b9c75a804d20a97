"""Questions in a repository with the facts and pages of a good answer (`answers.yaml`)."""
