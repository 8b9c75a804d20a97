"""Building blocks of pages: code, icons, sections, texts and built assets."""
