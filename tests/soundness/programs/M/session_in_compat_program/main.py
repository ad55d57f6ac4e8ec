import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
from tensorflow.compat.v1.keras import backend as K
config = tf.ConfigProto(allow_soft_placement=False)
config.gpu_options.per_process_gpu_memory_fraction = 0.25
K.set_session(tf.Session(config=config))
with tf.device('/gpu:5'):
    x = tf.constant([1., 2.]) * 2.
try:
    print(K.eval(x).tolist())
except Exception as error:
    print(type(error).__name__)
