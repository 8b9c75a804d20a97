"""HTTP API of analytics, `/v1/analytics/{projectId}/…`."""
