"""Whether the documentation says what a model says: sentence by sentence, without a model."""
