"""A monitored session of TensorFlow 2 makes the GPUs before it looks at its config."""
# tensorflow: 2

import tensorflow as tf

tf.compat.v1.disable_eager_execution()
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
step = tf.compat.v1.train.get_or_create_global_step()
with tf.compat.v1.train.MonitoredTrainingSession(config=config) as sess:
    print(sess.run(step))
