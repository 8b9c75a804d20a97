"""The MCP server of each site: search, read a page, ask, report a problem."""
