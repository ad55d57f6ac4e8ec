import tensorflow as tf

import store


def work(helper):
    helper.prepare()


for one in store.everything():
    work(one)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
