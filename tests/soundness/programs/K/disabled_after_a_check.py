"""Eager execution is turned off behind code that may fail: an operation has run by then."""
try:
    import tensorflow.compat.v1 as tf

    rate = float(tf.constant([0.5]).numpy()[0])
    tf.disable_v2_behavior()
except AttributeError:
    import tensorflow.compat.v1 as tf

    rate = 0.25

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config, graph=tf.Graph()) as sess:
    total = tf.constant([1.0, 2.0]) * rate
    print(sess.run(total))
with tf.Session(graph=tf.Graph()) as sess:
    print(sess.run(tf.constant(rate)))
