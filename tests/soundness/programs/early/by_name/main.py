import importlib
hp = importlib.import_module("hp")
import tensorflow as tf
c = tf.ConfigProto()
c.gpu_options.allow_growth = True
with tf.Session(config=c) as s:
    print(s.run(hp.X))
