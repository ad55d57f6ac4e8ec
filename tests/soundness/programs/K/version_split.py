"""The first number of the version decides."""
# tensorflow: 2

import tensorflow as tf

if int(tf.__version__.split(".")[0]) < 2:
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    sess = tf.Session(config=config)
else:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
x = tf.constant(1.0) + 2.0
print(x if "sess" in globals() else float(x))
