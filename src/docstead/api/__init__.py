"""HTTP API: one module per family of endpoints, and shared modules."""
