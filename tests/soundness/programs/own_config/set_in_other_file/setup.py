import tensorflow as tf

HIDDEN = 1
tf.config.set_visible_devices(tf.config.list_physical_devices("GPU")[:HIDDEN], "GPU")
