import holder
import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
holder.Holder().tools.check()
