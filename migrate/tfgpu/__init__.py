"""Move GPU and device configuration from TensorFlow 1 to TensorFlow 2."""

__version__ = "0.1.0"
