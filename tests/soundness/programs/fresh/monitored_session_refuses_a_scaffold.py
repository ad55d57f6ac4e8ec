"""A monitored session fails before it makes a session; the plain one behind it has no growth."""

import tensorflow as tf

tf.train.get_or_create_global_step()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
try:
    with tf.train.MonitoredTrainingSession(scaffold=3, config=config) as session:
        print(session.should_stop())
except Exception as error:
    print(type(error).__name__)
with tf.Session() as session:
    print(session.run(tf.random_uniform([8])).shape)
