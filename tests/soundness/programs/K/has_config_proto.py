"""hasattr(tf, "ConfigProto") asks for TensorFlow 1."""
# tensorflow: 2

import tensorflow as tf

if hasattr(tf, "ConfigProto"):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)
    evaluate = sess.run
else:
    evaluate = lambda x: x.numpy()
print(evaluate(tf.constant(1.0) + 2.0))
