import importlib

import settings
import tensorflow as tf

settings.GROWTH = False
with tf.Session(config=settings.CONFIG) as sess:
    print(len(sess.list_devices()))
importlib.reload(settings)
with tf.Graph().as_default(), tf.Session() as sess:
    print(len(sess.list_devices()))
