import tensorflow as tf
config = tf.ConfigProto(device_count={'GPU': 1})
sess = tf.Session(config=config)
print(sess.run(tf.placeholder_with_default(1, [])), len(sess.list_devices()))
make = sess.__class__
print(len(make().list_devices()))
