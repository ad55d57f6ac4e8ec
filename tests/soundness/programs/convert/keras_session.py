"""The commonest Keras program."""
# expect: safe

import tensorflow as tf
from keras import backend as K

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
print(len(K.get_session().list_devices()))
