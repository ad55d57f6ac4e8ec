import tensorflow as tf
config = tf.ConfigProto(device_count={'GPU': 1})
sess = tf.Session(config=config)
print(sess.run(tf.placeholder_with_default(1, [])), len(sess.list_devices()))
other = type(sess)(graph=sess.graph)
print(len(other.list_devices()))
