import numpy as np
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.visible_device_list = '0'
tf.keras.backend.set_session(tf.Session(config=config))
x = tf.placeholder(tf.float32, (2,))
f = tf.keras.backend.function([x], [x * 2.])
print(f([np.ones(2)])[0].tolist())
