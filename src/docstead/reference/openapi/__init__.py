"""OpenAPI: specifications, and operations that a page describes itself."""
