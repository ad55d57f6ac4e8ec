"""Control flow of TensorFlow 2 traces functions, which make the eager context."""
# tensorflow: 2
import tensorflow as tf
v1 = tf.compat.v1
g = tf.Graph()
with g.as_default():
    if 1:
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
def run():
    config = v1.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Graph().as_default(), v1.Session(config=config) as session:
        print(session.run(tf.matmul(tf.ones([4, 4]), tf.ones([4, 4])))[0][0])
run()
