import tensorflow as tf

BATCH = 32
_config = tf.ConfigProto()
_config.operation_timeout_in_ms = 5000
