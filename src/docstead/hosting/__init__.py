"""Published sites, by hostname or under `/_sites/{domain}`."""
