"""A session takes the graph that its `with` statement has made before it."""

# expect: safe
import tensorflow as tf

with (
    tf.Graph().as_default() as graph,
    tf.Session(
        graph=graph, config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    ) as sess,
):
    print(sess.run(tf.constant([1.0]) * 2))
