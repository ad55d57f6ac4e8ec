import tensorflow as tf
import settings
config = tf.ConfigProto(device_count={'GPU': settings.COUNT})
with tf.Session() as probe:
    k = len(probe.list_devices())
settings.off()
sess = tf.Session(config=config)
print(k, sess.run(tf.constant(1)), len(sess.list_devices()))
