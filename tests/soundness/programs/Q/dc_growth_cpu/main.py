import tensorflow as tf
c = tf.ConfigProto(device_count={'CPU': 2})
c.gpu_options.allow_growth = True
with tf.Session(config=c) as s:
    print([d.name for d in s.list_devices()])
