"""How often: rate limits, their policies and idempotency keys."""
