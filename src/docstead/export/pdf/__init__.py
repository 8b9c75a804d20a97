"""A site, a part of it or one page as a PDF, printed by a headless Chromium."""
