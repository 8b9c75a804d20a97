"""Expected answers: questions in a repository with facts and pages (`answers.yaml`)."""
