"""Library reference, read from artifacts of documentation tools (docs/guides/sdk-pages.mdx)."""
