"""A model's words on their way to the reader: cut into sentences, checked, made safe."""
