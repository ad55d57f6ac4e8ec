import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
config = tf.ConfigProto(log_device_placement=False)
config.gpu_options.allow_growth = True
session = tf.Session(config=config)
K.set_session(session)
x = K.placeholder((2,))
f = K.function([x], [x * 2.])
print(f([np.ones(2)])[0].tolist())
