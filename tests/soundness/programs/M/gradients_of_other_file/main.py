import tensorflow as tf
from cam import heat
from keras import backend as K

K.set_session(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))
print(heat())
