"""Full-text and semantic search over pages. Pure: files in, values out."""
