import tensorflow as tf


def configure_tpu():
    config = tf.ConfigProto(operation_timeout_in_ms=20000, isolate_session_state=True)
    return tf.Session(config=config)
