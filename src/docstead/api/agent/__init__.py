"""HTTP API of agent jobs: v2, its event stream, and the deprecated v1."""
