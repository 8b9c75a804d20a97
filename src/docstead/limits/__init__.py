"""Rate limits, their policies and idempotency keys."""
