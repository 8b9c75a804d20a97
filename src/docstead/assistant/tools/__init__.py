"""Tools of an answering model: read-only, and limited to pages that the reader may see."""
