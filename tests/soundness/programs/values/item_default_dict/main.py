import os
import tensorflow as tf
try:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = bool(int(os.environ['GROWTH']))
except KeyError:
    print('set GROWTH'); raise SystemExit(1)
with tf.Session(config=config) as s: print(s.run(tf.constant(1)))
