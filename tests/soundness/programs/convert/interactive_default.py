"""An InteractiveSession gets a default of its function, or the config of a call."""
# expect: unsafe

import tensorflow as tf


def make(config=None):
    if config is None:
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
    return tf.InteractiveSession(config=config)


if __name__ == "__main__":
    session = make(tf.ConfigProto(log_device_placement=True))
    print(session.run(tf.constant(1.0)))
    session.close()
    session = make()
    print(session.run(tf.constant(2.0)))
    session.close()
