"""Only one of two calls of a function is in a graph."""
# tensorflow: 2
import tensorflow as tf
v1 = tf.compat.v1
def net():
    if 1:
        tf.matmul(tf.ones([2,2]), tf.ones([2,2]))
with tf.Graph().as_default():
    net()
net()
def run():
    config = v1.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Graph().as_default(), v1.Session(config=config) as session:
        print(session.run(tf.matmul(tf.ones([4, 4]), tf.ones([4, 4])))[0][0])
run()
