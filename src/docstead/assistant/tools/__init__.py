"""What a model may use while it answers: only to read, and only what readers may read."""
