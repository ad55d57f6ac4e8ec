import tensorflow as tf
def again(sess):
    return type(sess)()
config = tf.ConfigProto(device_count={'GPU': 1})
with tf.Session(config=config) as s:
    print(s.run(tf.placeholder_with_default(1, [])), len(s.list_devices()))
    print(len(again(s).list_devices()))
