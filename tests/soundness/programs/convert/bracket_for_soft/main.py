import evaluate
import tensorflow as tf

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    with tf.device("/gpu:5"):
        sess.run(tf.random_uniform([8]))
evaluate.main()
