"""What TensorFlow does with device settings, sentence by sentence, on runs (docs/theory.md)."""
