"""A source repository becomes an edition: one immutable result of one commit."""
