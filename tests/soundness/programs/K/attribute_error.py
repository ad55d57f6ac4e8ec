"""except AttributeError: TensorFlow 2 has no tf.ConfigProto."""
# tensorflow: 2

import tensorflow as tf

try:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)
except AttributeError:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    sess = None
x = tf.constant(1.0) + 2.0
print(sess.run(x) if sess else x.numpy())
