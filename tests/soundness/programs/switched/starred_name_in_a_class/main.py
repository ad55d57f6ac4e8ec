import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    from lib import net

    print(sess.run(net(tf.constant([1.0, 2.0]))))
