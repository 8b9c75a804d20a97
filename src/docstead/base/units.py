"""Units, so that limits read as sentences."""

KIB = 1024
MIB = 1024 * KIB

MINUTE_SECONDS = 60
HOUR_SECONDS = 60 * MINUTE_SECONDS
DAY_SECONDS = 24 * HOUR_SECONDS
