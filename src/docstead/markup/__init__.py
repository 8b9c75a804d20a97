"""Parts of which pages are made: code blocks, icons, sections, texts and built assets."""
