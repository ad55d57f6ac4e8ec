"""An import with a fallback turns eager execution off on any TensorFlow 2."""

# expect: safe
try:
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
except ImportError:
    import tensorflow as tf

total = tf.add_n([tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])])
config = tf.ConfigProto(intra_op_parallelism_threads=2)
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(total))
