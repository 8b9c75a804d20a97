"""MCP server of each site: search, read pages, ask questions, report problems."""
