"""Pages become passages, a question finds the best of them. Pure: files in, values out."""
