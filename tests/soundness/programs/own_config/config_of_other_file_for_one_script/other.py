import tensorflow as tf
import settings
with tf.Session() as s:
    print(len(s.list_devices()), settings.STEPS)
