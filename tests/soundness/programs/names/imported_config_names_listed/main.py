import tensorflow as tf
from settings import config

print([name for name in dir() if not name.startswith("_")])
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
