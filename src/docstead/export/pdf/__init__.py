"""PDFs of a site, a section or pages, printed by headless Chromium."""
