import tensorflow as tf

ASKED = hasattr(tf, "Session"), [name for name in ("MeanSquaredError",) if hasattr(tf.losses, name)]
