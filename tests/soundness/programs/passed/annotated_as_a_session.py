"""What is annotated as a session is an object of the program, whose `run` makes a session."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Trainer(object):
    def run(self):
        with tf.Session() as sess:
            print(sess.run(tf.constant(2)))


def step(sess: tf.Session):
    sess.run()


trainer = Trainer()
trainer.run()
config = tf.ConfigProto(log_device_placement=True)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
    step(trainer)
