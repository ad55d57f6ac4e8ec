"""map() of a pool of threads is no tf.data; its result is the value of a setting."""

from multiprocessing.pool import ThreadPool

import tensorflow as tf

data = tf.data.Dataset.range(3).batch(2)
value = tf.data.make_one_shot_iterator(data).get_next()
pool = ThreadPool(1)
(count,) = pool.map(abs, [-1])
config = tf.ConfigProto(device_count={"GPU": count})
with tf.Session(config=config) as sess:
    print(sess.run(value).shape, len(sess.list_devices()))
