import tensorflow as tf
tf.compat.v1.disable_v2_behavior()
K = tf.compat.v1.keras.backend
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.compat.v1.Session(config=config))
with tf.device('/gpu:7'):
    x = tf.constant(1.) + 1.
try: print(K.get_value(x) >= 0)
except Exception as e: print(type(e).__name__)
