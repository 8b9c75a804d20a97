"""Published sites for their readers, by host name or below `/_sites/{domain}`."""
