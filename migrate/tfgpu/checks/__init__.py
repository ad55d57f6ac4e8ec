"""What goes wrong with GPUs in TensorFlow 2 code, and what PyTorch code does with them: reports."""
