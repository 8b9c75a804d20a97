"""Libraries of code as the artifacts of documentation tools describe them (docs.json, "sdk")."""
