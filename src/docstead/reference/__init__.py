"""API and library reference: reading of descriptions, and rendering of pages."""
