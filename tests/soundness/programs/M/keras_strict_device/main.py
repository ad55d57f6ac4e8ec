import tensorflow as tf
from tensorflow.keras import backend as K
tf.compat.v1.disable_eager_execution()
config = tf.compat.v1.ConfigProto(allow_soft_placement=False)
config.gpu_options.allow_growth = True
tf.compat.v1.keras.backend.set_session(tf.compat.v1.Session(config=config))
with tf.device('/gpu:7'):
    x = K.constant(1.) + 1.
try: print(K.eval(x) >= 0)
except Exception as e: print(type(e).__name__)
