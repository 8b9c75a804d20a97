"""Sources of answers: chat models behind one small protocol, and quotes without a model."""
