"""What runs inside a leg's interpreter, beside TensorFlow 1.15 (Python 3.7) or TensorFlow 2."""
