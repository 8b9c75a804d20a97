"""Chat models behind one protocol, and embedding models."""
