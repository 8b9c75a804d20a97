"""Libraries of code as the artifacts of documentation tools tell them (docs.json, "sdk")."""
