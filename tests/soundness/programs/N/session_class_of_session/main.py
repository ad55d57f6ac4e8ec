import tensorflow as tf
x = tf.placeholder_with_default(1, [])
config = tf.ConfigProto(device_count={'GPU': 1})
with tf.Session(config=config) as s: print(s.run(x), len(s.list_devices()))
print(len(s.__class__(graph=s.graph).list_devices()))
