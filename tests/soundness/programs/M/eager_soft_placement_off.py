"""Eager code of TensorFlow 1 places softly whatever its config says."""

import tensorflow as tf
tf.enable_eager_execution(config=tf.ConfigProto(allow_soft_placement=False))
with tf.device("/gpu:0"):
    try: print(tf.strings.join(["a", "b"]).device)
    except Exception as e: print(type(e))
