"""Publishing: a commit of a source repository becomes an immutable edition."""
