"""Processing of a model's text: split into sentences, checked, sanitized."""
