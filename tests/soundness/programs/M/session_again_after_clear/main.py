import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
def reset():
    K.clear_session()
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    K.set_session(tf.Session(config=config))
for n in range(2):
    reset()
    x = K.placeholder((2,))
    f = K.function([x], K.gradients(K.sum(x * n), [x]))
    print(f([np.ones(2)])[0].tolist())
