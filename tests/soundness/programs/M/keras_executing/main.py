import tensorflow as tf
from tensorflow.keras import backend as K
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
print(tf.executing_eagerly(), tf.__version__[:2])
x = K.constant(2.) * 3
print(x.shape, hasattr(x, 'numpy'))
