import tensorflow as tf
def build(kind):
    return kind()
config = tf.ConfigProto(device_count={'GPU': 1})
with tf.Session(config=config) as sess:
    print(sess.run(tf.placeholder_with_default(1, [])), len(sess.list_devices()))
    print(len(build(type(sess)).list_devices()))
