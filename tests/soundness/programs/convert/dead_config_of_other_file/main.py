import settings
import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(settings.BATCH, len(sess.list_devices()))
